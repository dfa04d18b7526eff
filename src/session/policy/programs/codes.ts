import { effect, type Effect } from '../effect.ts'
import type { CallParts } from './read-call.ts'

/** Escapes that a terminal acts on: anything but a new line, a tab and a backslash. */
export const escapes = /\\(?:[0-7]|[xuU][0-9a-fA-F]|[abcefrvE])/

export const acts: Effect = effect('terminal', 'sends codes to the terminal')

/** `stat --printf` reads escapes, as the other options of it do not. */
export function codesOf(name: string, { seen, texts }: CallParts): readonly Effect[] {
  const isCode = texts.some((text) => text.is !== 'text' || escapes.test(text.text))
  return name === 'stat' && seen.includes('--printf') && isCode ? [acts] : []
}
