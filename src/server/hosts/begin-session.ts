import { isAbsolute } from 'node:path'
import type { CreateSession } from '../../protocol/http/session-routes.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Organisation } from '../../protocol/organisation.ts'
import type { SessionLimits } from '../../protocol/limits.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { ApprovalMode } from '../../protocol/events/approval-mode.ts'
import { initialState } from '../../log/state.ts'
import { boundMode } from '../../session/policy/organisation/organisation-rules.ts'
import { refuseMode } from '../../session/decide/refuse-mode.ts'
import { type NewEvent, openAppend, refuse, system } from '../../session/append.ts'
import { suppliedHistory } from '../../session/conversation/supplied-history.ts'
import type { LookAt } from '../looker/ops.ts'
import { sessionFolder } from '../process/data-folder.ts'
import type { Taker, Begin, Kept } from '../session/hand-over.ts'
import type { OwnedHost, SessionHost } from '../session/host.ts'
import type { EventStore } from '../store/store.ts'
import type { Teams } from '../teams/teams.ts'
import type { Trust } from '../world/trusted-folders.ts'

interface Opening {
  opening?: readonly NewEvent[]
  unlisted?: true
}

export interface BeginDeps {
  store: EventStore
  /** The data folder. */
  home: string
  limits: SessionLimits
  /** The mode a session starts with unless it says otherwise. */
  approval: ApprovalMode
  /** The rules of the organisation, as they are now. */
  organisation(): Promise<Organisation | null>
  /** Throw-away sessions work here. */
  workspace: string
  commands: { teams: Teams; trust: Trust; look: LookAt }
  own(id: SessionId): Promise<OwnedHost | null>
  clock(): number
  uuid(): string
}

export type Begun = Promise<Result<SessionHost, Refusal>>

/** How sessions begin. */
export function createBeginnings(deps: BeginDeps) {
  const { store, own, home } = deps

  /** Sees to its team on the way. */
  async function notToBegin({ workspace, team, approval }: CreateSession): Promise<Refusal | null> {
    const { teams, trust, look } = deps.commands
    const problem = await badWorkspace(workspace, look)
    if (problem) return problem
    const trusted = await trust.isTrusted(workspace)
    const badMode =
      approval && refuseMode(approval, { trusted, organisation: await deps.organisation() })
    if (badMode) return badMode
    if (teams.has(team)) return null
    const made = teams.create(team)
    return made.ok ? null : made.error
  }

  async function newSession(
    options: CreateSession,
    opening: readonly NewEvent[],
  ): Promise<NewSession> {
    const { limits, clock, uuid } = deps
    const approval = await modeIn(options.workspace, deps.approval)
    return { options, limits, approval, opening, at: clock(), uuid: uuid() }
  }

  /** A mode that nobody chose for this folder, where it does what it says; else the usual one. */
  async function modeIn(workspace: string, mode: ApprovalMode): Promise<ApprovalMode> {
    const trusted = await deps.commands.trust.isTrusted(workspace)
    const organisation = await deps.organisation()
    const usual = mode === 'trusted-session' && !trusted ? 'guarded' : mode
    return boundMode(usual, organisation)
  }

  async function begin(options: CreateSession, { opening = [], unlisted }: Opening = {}): Begun {
    const problem = await notToBegin(options)
    if (problem) return refused(problem)
    const session = { ...(await newSession(options, opening)), unlisted }
    const id = session.uuid
    const folder = sessionFolder(home, options.team, id)
    const firstWith = (news: readonly NewEvent[]) => firstEvents({ ...session, news })
    const taken = await takeTerminal(options, { id, folder, begin: firstWith }, own)
    if (!taken.ok) return taken
    if (!taken.value) await store.append(id, 0, { events: firstEvents(session) })
    const owned = await own(id)
    return owned ? ok(owned.host) : refused(refuse('session_closed', 'Server is ending.'))
  }

  return {
    begin,
    modeIn,
    /** Only says what it would begin with: another session stores that with its own end. */
    async firstOf(...[options, kept]: Parameters<Begin>): ReturnType<Begin> {
      const { approval = deps.approval, ...rest } = options
      const problem = await notToBegin(rest)
      if (problem) return refused(problem.message)
      const session = {
        ...(await newSession(rest, openingOf(kept))),
        approval: await modeIn(rest.workspace, approval),
      }
      return ok({ session: session.uuid, events: firstEvents(session), live: false })
    },
  }
}

/** The words of the session before, and what somebody chose there. */
function openingOf({ history, model, private: isPrivate }: Kept): readonly NewEvent[] {
  const { messages } = suppliedHistory(history, 'tags')
  const chosen = {
    ...(model !== null && { model }),
    ...(isPrivate && { private: true, ptyAt: 0 }),
  }
  if (Object.keys(chosen).length === 0) return messages
  return [...messages, { ...chosen, type: 'session_update', by: system }]
}

/** Whether the session has begun with it; without one to take it begins like any other. */
async function takeTerminal(
  { terminalFrom, team }: CreateSession,
  taker: Taker,
  own: BeginDeps['own'],
): Promise<Result<boolean, Refusal>> {
  if (terminalFrom === undefined) return ok(false)
  const owned = await own(terminalFrom)
  if (owned === null)
    return refused(
      refuse('not_found', `There is no session ${terminalFrom} to take the terminal from.`),
    )
  if (owned.host.view().team !== team)
    return refused({
      code: 'bad_request',
      message: `A terminal stays in its team: session ${terminalFrom} is of another one than ${team}.`,
    })
  return owned.handOver(taker)
}

export interface NewSession {
  options: CreateSession
  limits: SessionLimits
  approval: ApprovalMode
  /** The events behind its start: for a history that a caller keeps, the model's set-up and all that was said. */
  opening: readonly NewEvent[]
  /** No list names it. */
  unlisted?: true | undefined
  /** Its news of a shell that it begins with. */
  news?: readonly NewEvent[]
  at: number
  uuid: string
}

/** The events a session begins with. */
export function firstEvents(session: NewSession): readonly Event[] {
  const { options, limits, opening, at, uuid, unlisted } = session
  const { approval = session.approval, attended = true } = options
  const append = openAppend(initialState, { at, uuid, by: { kind: 'user' }, body: null })
  append.add({
    type: 'session_start',
    team: options.team,
    workspace: options.workspace,
    title: options.title ?? null,
    approval,
    ...(attended !== (approval !== 'refuse') && { attended }),
    ...(unlisted && { unlisted }),
    limits,
  })
  for (const event of opening) append.add(event)
  for (const event of session.news ?? []) append.add({ ...event, by: system })
  return append.events
}

async function badWorkspace(folder: string, look: LookAt): Promise<Refusal | null> {
  const bad = (why: string): Refusal => ({
    code: 'bad_workspace',
    message: `The workspace ${JSON.stringify(folder)} ${why}.`,
  })
  if (!isAbsolute(folder) || folder.includes('\0')) return bad('is not an absolute folder')
  const looked = await look('folder', folder)
  if (!looked.ok) return bad(`cannot be used: ${looked.error}`)
  if (looked.value === 'missing') return bad('does not exist')
  return looked.value === 'folder' ? null : bad('is not a folder')
}
