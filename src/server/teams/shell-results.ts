import { join } from 'node:path'
import type { ToolResponse } from '../../protocol/call.ts'
import { limits } from '../../protocol/limits.ts'
import type { RunEnd, RunStart } from '../../protocol/run.ts'
import type { RunId } from '../../protocol/seq.ts'
import type { RunView } from '../../protocol/session-view.ts'
import type { ShellResult } from '../../protocol/team.ts'
import { commandHeader } from '../../session/record-text.ts'
import { sessionFolder } from '../data-folder.ts'
import { readStreams } from '../one-shot/read-streams.ts'
import type { EventStore, StoredRun } from '../store/store.ts'

/** How a one-shot command of a team stands; null when the team has none of this id. */
export type ShellResults = (team: string, id: RunId) => Promise<ShellResult | null>

export interface ShellResultsDeps {
  store: EventStore
  /** The data folder. */
  home: string
  clock(): number
}

/** Reads what is kept; no session has to be opened for it. */
export function createShellResults({ store, home, clock }: ShellResultsDeps): ShellResults {
  return async (team, id) => {
    const run = await store.findRun(id)
    if (run?.start.lane !== 'background') return null
    const session = await store.summary(run.session)
    if (session?.team !== team) return null
    const { start, end } = run
    if (end === null) return running(start, clock())
    const answer = await answerTo(store, run)
    const folder = join(sessionFolder(home, team, run.session), 'one-shot', id)
    return {
      id,
      status: answer?.status === 'done' && end.exitCode === 0 ? 'done' : 'error',
      exit_code: end.exitCode,
      ...(await printed(folder, { start, end }, answer)),
      duration_ms: end.durationMs,
    }
  }
}

/** One that waits for its turn counts as running. */
function running({ run, at }: RunStart, now: number): ShellResult {
  const duration = Math.max(0, now - at)
  const nothing = { exit_code: null, stdout: '', stderr: '' }
  return { id: run, status: 'running', ...nothing, duration_ms: duration }
}

/** Of a command that never ran, or whose end nobody saw, the reason stands where it would complain. */
async function printed(
  folder: string,
  { start, end }: RunView & { end: RunEnd },
  answer: ToolResponse | null,
): Promise<Pick<ShellResult, 'stdout' | 'stderr'>> {
  if (end.outcome === 'not_started' || end.outcome === 'lost')
    return { stdout: '', stderr: reason(start.command, answer) }
  return readStreams(folder, end, limits.shownBytes)
}

/** What the call’s answer says below the command; that of a private one says nothing. */
function reason(command: string, answer: ToolResponse | null): string {
  const header = commandHeader(command)
  const told = answer?.content.startsWith(header) ? answer.content.slice(header.length) : ''
  return told.trimStart() || 'The command was not run, or how it ended is not known.'
}

/** It comes with the run’s end, or before it when the time was up. */
async function answerTo(
  store: EventStore,
  { session, start, end }: StoredRun,
): Promise<ToolResponse | null> {
  const last = (end?.seq ?? start.seq) + 1
  for (let after = start.seq; after < last; after += limits.pageEvents) {
    const events = await store.read(session, { after, before: last + 1, limit: limits.pageEvents })
    for (const event of events)
      if (event.type === 'tool_response' && event.request === start.request) return event
  }
  return null
}
