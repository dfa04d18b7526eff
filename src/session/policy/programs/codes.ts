import { effect, type Effect } from '../effect.ts'
import type { Argument } from '../syntax/argument.ts'
import type { CallParts } from './read-call.ts'

/** Escapes that a terminal acts on: anything but a new line, a tab and a backslash. */
export const escapes = /\\(?:[0-7]|[xuU][0-9a-fA-F]|[abcefrvE])/

export const acts: Effect = effect('terminal', 'sends codes to the terminal')

/** Programs that read escapes in one of their texts themselves. */
const readers: Readonly<Record<string, (call: CallParts) => readonly Argument[]>> = {
  // Its other options do not.
  stat: ({ seen, texts }) => (seen.includes('--printf') ? texts : []),
  hexdump: ({ texts }) => texts,
  paste: ({ texts }) => texts,
  // Only the second set is printed.
  tr: ({ operands }) => operands.slice(1),
}

/** A terminal shows nothing of it. */
const nothing = /\\0+(?![0-7])/g

export function codesOf(name: string, call: CallParts): readonly Effect[] {
  const texts = Object.hasOwn(readers, name) ? (readers[name]?.(call) ?? []) : []
  return texts.some((text) => text.is !== 'text' || escapes.test(text.text.replaceAll(nothing, '')))
    ? [acts]
    : []
}
