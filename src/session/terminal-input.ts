import type { ToolRequest } from '../protocol/call.ts'

/** What a model sends to the program that runs. */
export type TerminalInput =
  | { type: 'text'; text: string }
  | { type: 'keys'; names: readonly string[] }
  | { type: 'interrupt' }

/** Keys that look around or leave; none of them says yes to anything. */
const harmless = new Set([
  'Up',
  'Down',
  'Left',
  'Right',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Escape',
])

/** How `terminal_write` keeps what it was given: `keys Up Down`, or `text` and the text itself. */
export function inputArgs({ text, keys }: { text: string; keys: boolean }): string {
  return keys ? `keys ${text.trim().split(/\s+/).join(' ')}` : `text ${text}`
}

/** The input a call asks for; null if it asks for something else. */
export function inputOf({ name, args }: ToolRequest): TerminalInput | null {
  if (name === 'terminal_interrupt') return { type: 'interrupt' }
  if (name !== 'terminal_write') return null
  if (args.startsWith('keys ')) return { type: 'keys', names: args.slice(5).split(' ') }
  return { type: 'text', text: args.slice('text '.length) }
}

/** To stop a program, or to look around in it, nobody has to be asked. */
export function isHarmless(input: TerminalInput): boolean {
  if (input.type === 'interrupt') return true
  return input.type === 'keys' && input.names.every((name) => harmless.has(name))
}

/** As a person and the model read it. */
export function describeInput(input: TerminalInput): string {
  if (input.type === 'interrupt') return 'Ctrl+C'
  return input.type === 'keys' ? input.names.join(' ') : input.text
}
