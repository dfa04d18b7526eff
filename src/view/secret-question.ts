import { looksSecret } from '../log/looks-secret.ts'
import { terminalRun } from '../log/open.ts'
import type { Seq } from '../protocol/events/seq.ts'
import { findEntry } from './fold/entry-list.ts'
import type { View } from './fold/view.ts'
import { parseAnsi } from './text/ansi.ts'

/** The run in the terminal, whose program could ask for a secret at any time; null when there is none. */
export const runInFront = ({ state }: View): Seq | null => terminalRun(state)?.seq ?? null

/** Enough of the output to hold its last line. */
const tailChars = 2_000

/**
 * The question for a password that the program in the terminal seems to have asked; null when there is none. Behind
 * `ssh` or `docker` nobody can know whether a secret is read, and only its words tell.
 */
export function secretQuestion({ state, entries }: View): string | null {
  const run = terminalRun(state)
  if (run === undefined) return null
  const entry = findEntry(entries, run.request ?? run.seq)
  if (entry?.kind !== 'run' || entry.state.phase !== 'running') return null
  const shown = parseAnsi(entry.state.live.text.slice(-tailChars))
  const line = shown
    .map(({ text }) => text)
    .join('')
    .split('\n')
    .at(-1)
  return line !== undefined && looksSecret(line) ? line.trim() : null
}
