import type { Event } from '../protocol/event.ts'
import { evolve } from '../log/evolve.ts'
import { adoptedBy } from '../log/open.ts'
import type { SessionState } from '../log/state.ts'
import { due } from '../session/due.ts'
import { judge } from '../session/policy/judge.ts'
import type { Judged } from '../session/report.ts'

/**
 * Takes every judgement that is due before anything is stored, so that a reply, its call and the
 * start of its run are one append. A judgement touches nothing outside; it may come before the disk.
 */
export function settleJudgements(
  start: SessionState,
  record: (report: Judged, state: SessionState) => readonly Event[],
): { state: SessionState; events: readonly Event[] } {
  const events: Event[] = []
  let state = start
  for (;;) {
    const effect = due(state).find((candidate) => candidate.type === 'judge')
    if (effect?.type !== 'judge' || effect.call.run === undefined) break
    const { approval, workspace, shell } = state
    const facts = { approval, workspace, cwd: shell.cwd, adopted: adoptedBy(state) }
    const verdict = judge(effect.call.run.command, facts)
    const { promptGeneration } = effect
    const judged: Judged = {
      type: 'judged',
      call: effect.call.seq,
      verdict,
      cwd: shell.cwd,
      promptGeneration,
    }
    const more = record(judged, state)
    if (more.length === 0) break
    events.push(...more)
    state = more.reduce(evolve, state)
  }
  return { state, events }
}
