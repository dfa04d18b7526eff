import { ok, refused, type Result } from '../../base/result.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { Integration, ShellName } from '../../protocol/events/shell.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { isBeside, terminalRun } from '../../log/open.ts'
import type { SessionState } from '../../log/state.ts'
import { type Envelope, type NewEvent, openAppend, refuse, system } from '../append.ts'

/** A shell as the edge sees it at the moment that it leaves. */
export interface LeavingShell {
  session: SessionId
  /** The session that takes it over. */
  to: SessionId
  shell: ShellName
  integration: Integration
  /** The end of its output in the byte log. */
  ptyAt: number
}

export interface Given {
  /** The events of its session. */
  events: readonly Event[]
  /** The events of the new session, after its own beginning. */
  news: readonly NewEvent[]
}

/** A session without a shell has nothing to give, which is no reason to refuse. */
export function hasShell({ shell }: SessionState): boolean {
  return shell.phase === 'live' || (shell.phase === 'gone' && shell.movedTo !== undefined)
}

/**
 * A shell leaves its session for a new one, as it is. Only at rest: what runs in it is this session's, and
 * would have no end here and no beginning there.
 */
export function giveShell(
  state: SessionState,
  envelope: Envelope<LeavingShell>,
): Result<Given, Refusal> {
  const refusal = notToGive(state)
  if (refusal) return refused(refusal)
  const { shell, isReplaced, isMute, lastTyped, lastAdopted } = state
  if (shell.phase !== 'live') return refused(refuse('no_run', 'That session has no terminal.'))
  const { session, to, ptyAt: ptyFrom, ...seen } = envelope.body
  const { generation, cwd, pid } = shell
  const append = openAppend(state, envelope)
  append.add({
    type: 'shell_exit',
    by: system,
    generation,
    reason: 'moved',
    exitCode: null,
    signal: null,
    movedTo: to,
  })
  const known = { hidden: [...state.hidden], isReplaced, isMute, lastTyped, lastAdopted }
  const taken = { session, generation, ...known }
  const start = { type: 'shell_start', generation: 1, cwd, pid, ptyFrom, ...seen, taken } as const
  const news: NewEvent[] = [start]
  if (state.private) news.unshift({ type: 'session_update', private: true, ptyAt: ptyFrom })
  return ok({ events: append.events, news })
}

/** A refusal that says what to do first; null when the shell is free to go. */
export function notToGive(state: SessionState): Refusal | null {
  const { shell, turn, step, asks, calls, levels } = state
  if (shell.phase === 'gone' && shell.movedTo !== undefined)
    return {
      code: 'taken',
      message: `The terminal of that session has moved to session ${shell.movedTo} already.`,
      detail: { session: shell.movedTo },
    }
  const [level] = levels.slice(-1)
  if (level !== undefined)
    return busy(`The terminal is inside another shell (${level.command}): leave it first.`)
  const run = terminalRun(state)
  if (run?.private) return busy('A private command runs in the terminal: end it first.')
  if (run) return busy(`A program runs in the terminal (${run.command}): end it first.`)
  if (asks.length > 0) return busy('A question waits in that session: answer it first.')
  if (turn !== null || step !== null)
    return busy('The model works in that session: wait for the end of its turn, or stop it.')
  // A one-shot run stays in its session.
  return calls.every(isBeside)
    ? null
    : busy('A command of that session has not ended: wait for it.')
}

function busy(message: string): Refusal {
  return refuse('terminal_busy', message)
}
