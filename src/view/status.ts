import { isAround, status, terminalRun } from '../log/open.ts'
import type { SessionStatus } from '../protocol/http/session-view.ts'
import { askOf } from './fold/calls.ts'
import { findEntry } from './fold/entry-list.ts'
import type { Ask, ReplyEntry } from './fold/entry.ts'
import type { View } from './fold/view.ts'
import type { ShellExit } from '../protocol/events/shell.ts'

/** The facts of a status line. */
export interface Status {
  status: SessionStatus
  asks: readonly Ask[]
  /** The one who may type into the terminal now. */
  driver: 'person' | 'model'
}

export function statusOf(view: View): Status {
  return {
    status: status(view.state),
    asks: view.state.asks.map((ask) => askOf(view.state, ask)),
    driver: driverOf(view),
  }
}

/** Before the terminal has said who drives, the runs say it: the model drives its own. */
function driverOf({ terminal, state }: View): Status['driver'] {
  if (terminal) return terminal.driver
  return terminalRun(state)?.source === 'model' ? 'model' : 'person'
}

/** The reply that still grows. */
export function openReply({ state, entries }: View): ReplyEntry | null {
  const entry = state.step && findEntry(entries, state.step.seq)
  return entry?.kind === 'reply' && entry.reply.phase === 'open' ? entry : null
}

/** Only a person can go on: a question is open, or a program waits for input or a secret. */
export function awaitsPerson({ state, entries, terminal }: View): boolean {
  if (state.asks.length > 0 || terminal?.screen === 'secret') return true
  return state.runs.some(({ request, seq }) => {
    const entry = findEntry(entries, request ?? seq)
    const note = entry?.kind === 'run' && entry.state.phase === 'running' ? entry.state.note : null
    return note === 'waiting' || note === 'secret'
  })
}

/** Nothing is under way and nothing waits: the next input would be the next thing to happen. */
export function isQuiet({ state }: View): boolean {
  // A run that only holds an adopted shell waits for nobody.
  const around = state.runs.filter((run) => isAround(state, run)).map(({ request }) => request)
  const runs = state.runs.length - around.length
  const calls = state.calls.filter(({ request }) => !around.includes(request.seq)).length
  const waits = calls + runs + state.asks.length + state.queue.length
  return waits === 0 && state.turn === null && state.step === null && state.wanted === null
}

/** A shell inside the session's own waits at its prompt, and commands could run in it. */
export function mayAdopt({ state, terminal }: View): boolean {
  if (terminal?.hasNested !== true || terminal.screen !== 'line') return false
  // A private run stays so, and one adoption at a time is enough.
  const isUnderWay = state.calls.some(({ request }) => request.name === 'adopt')
  return !isUnderWay && terminalRun(state)?.private !== true
}

/** How the shell ended that was there last; null when that is not in what is loaded, or not told yet. */
export function shellEnd({ state, entries }: View): ShellExit['reason'] | null {
  // The terminal is seen to end before the log tells why; until then the last reason is of another shell.
  if (state.shell.phase === 'live') return null
  for (const chunk of entries.chunks.toReversed())
    for (const entry of chunk.toReversed())
      if (entry.kind === 'notice' && entry.notice.type === 'shell_ended') return entry.notice.reason
  return null
}
