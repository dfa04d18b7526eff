import type { Refusal } from '../../protocol/http/refusal.ts'
import type { Result } from '../../base/result.ts'
import type { Hosts, SessionHost } from '../session/host.ts'
import type { Teams } from './teams.ts'
import { join } from 'node:path'
import type { ToolResponse } from '../../protocol/events/call.ts'
import { limits } from '../../protocol/limits.ts'
import type { RunEnd, RunStart } from '../../protocol/events/run.ts'
import type { RunId } from '../../protocol/events/seq.ts'
import type { RunView } from '../../protocol/http/session-view.ts'
import type { ShellResult } from '../../protocol/http/team.ts'
import { commandHeader } from '../../session/append.ts'
import { sessionFolder } from '../process/data-folder.ts'
import { readStreams } from '../one-shot/run-file.ts'
import type { EventStore, StoredRun } from '../store/store.ts'

/** Finds or makes the session in which a team’s commands land that name none. */
export type MainSessions = (team: string) => Promise<Result<SessionHost, Refusal>>

export function createMainSessions(hosts: Hosts, teams: Teams): MainSessions {
  /** Two commands at once must not make two. */
  const making = new Map<string, Promise<Result<SessionHost, Refusal>>>()

  async function findOrMake(team: string): Promise<Result<SessionHost, Refusal>> {
    const id = teams.mainSession(team)
    const known = id === null ? null : await hosts.open(id)
    if (known?.ok) return known
    const [first] = await teams.seenRepos(team)
    const workspace = first && !first.missing ? first.path : teams.folder(team)
    const made = await hosts.create({ team, title: 'main', workspace })
    if (made.ok) teams.setMainSession(team, made.value.id)
    return made
  }

  return (team) => {
    const found = making.get(team) ?? findOrMake(team).finally(() => making.delete(team))
    making.set(team, found)
    return found
  }
}

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
      ...standing(end, answer),
      exit_code: end.exitCode,
      ...(await printed(folder, { start, end }, answer)),
      duration_ms: end.durationMs,
    }
  }
}

/** An answer tells more than the end: the code of a stopped run is only what our own stop left behind. */
function standing(
  { outcome, exitCode }: RunEnd,
  answer: ToolResponse | null,
): Pick<ShellResult, 'status' | 'reason'> {
  const status = answer?.status
  if (status === 'timeout' || status === 'cancelled') return { status: 'error', reason: status }
  if (outcome === 'not_started') return { status: 'error', reason: 'not_started' }
  if (outcome !== 'ended' || status === 'lost') return { status: 'error', reason: 'lost' }
  const isDone = status === 'done' && exitCode === 0
  return isDone ? { status: 'done' } : { status: 'error', reason: 'exit' }
}

/** A run that waits for its turn counts as running. */
function running({ run, at }: RunStart, now: number): ShellResult {
  const duration = Math.max(0, now - at)
  const nothing = { exit_code: null, stdout: '', stderr: '' }
  return { id: run, status: 'running', ...nothing, duration_ms: duration }
}

/** The reason why a command never ran, or why its end is unknown, stands in its stderr. */
async function printed(
  folder: string,
  { start, end }: RunView & { end: RunEnd },
  answer: ToolResponse | null,
): Promise<Pick<ShellResult, 'stdout' | 'stderr'>> {
  if (end.outcome === 'not_started' || end.outcome === 'lost')
    return { stdout: '', stderr: reason(start.command, answer) }
  return readStreams(folder, end, limits.shownBytes)
}

/** The call’s answer below the command; a private one says nothing. */
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
