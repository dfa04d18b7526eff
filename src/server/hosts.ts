import { mkdir, rm } from 'node:fs/promises'
import { limits, type SessionLimits } from '../protocol/limits.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { ok, refused, type Result } from '../protocol/result.ts'
import type { CreateSession } from '../protocol/create-session.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { ApprovalMode } from '../protocol/session.ts'
import { sessionFolder } from './data-folder.ts'
import type { Taker } from './hand-over.ts'
import type { Hosts, SessionHost, SuppliedMessage } from './host.ts'
import { loadSession } from './load-session.ts'
import { badWorkspace, firstEvents, type NewSession } from './new-session.ts'
import type { OneShots } from './one-shot/one-shots.ts'
import { openSessionHost, type OwnedHost, type SessionHostDeps } from './session-host.ts'
import { createHostSet } from './host-set.ts'
import { inGroups } from './in-groups.ts'
import { createKeyedSerial } from './keyed-serial.ts'
import { StoreError } from './store/store-error.ts'
import type { EventStore } from './store/store.ts'
import { heldFolders, type HeldFolder } from './stray-holders.ts'
import { endHolder } from './terminal/end-holder.ts'
import { findHolder } from './terminal/holder-file.ts'
import { registerFolder } from './teams/register-folder.ts'
import type { Terminal } from './terminal/terminal.ts'
import type { TerminalEvents } from './terminal/terminal-options.ts'
import { within } from './terminal/within.ts'

export interface HostsDeps extends Pick<
  SessionHostDeps,
  'models' | 'worlds' | 'catalogue' | 'commands' | 'inputHelp' | 'diagnose' | 'clock' | 'uuid'
> {
  store: EventStore
  /** The data folder. */
  home: string
  limits: SessionLimits
  /** What a session starts with unless it says otherwise. */
  approval: ApprovalMode
  /** Where throw-away sessions work. */
  workspace: string
  openTerminal(place: { folder: string; workspace: string }, heard: TerminalEvents): Terminal
  openOneShots(place: { folder: string; team: string; workspace: string }): OneShots
  /** So long a session stays in memory that nobody uses; 0 = for ever. */
  idleMs: number
}

/** The server's sessions, and what only the server may do with them. */
export interface OwnedHosts extends Hosts {
  /** Opens what an earlier server left under way, so that it goes on without a client. */
  resume(): Promise<void>
  isBusy(): boolean
  subscribers(): number
  /** Old output of a living shell goes, for the sake of other sessions; false when it is not open here. */
  forgetOutput(id: SessionId, before: number): boolean
  close(shells: 'keep' | 'end'): Promise<void>
}

/** Each reads a log and asks a holder: more at once would hold up those who connect meanwhile. */
const resumedAtOnce = 8
/** So long a start or an end waits for a session whose disk or holder does not answer. */
const patienceMs = 5_000

export function createHosts(deps: HostsDeps): OwnedHosts {
  const { store, diagnose } = deps
  const hosts = createHostSet({ load, idleMs: deps.idleMs, diagnose, now: () => performance.now() })
  const { own } = hosts
  /** A session is not deleted while its terminal moves. One that hangs holds up only itself. */
  const moves = createKeyedSerial<SessionId>()

  async function load(id: SessionId, leaving: AbortSignal): Promise<OwnedHost | null> {
    const state = await loadSession(store, id)
    if (state === null) return null
    const folder = sessionFolder(deps.home, state.team, id)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // A shell that moved from here when a server died is called away first: opening a session ends what its log does not know.
    const { shell } = state
    if (shell.phase === 'gone' && shell.movedTo !== undefined && findHolder(folder))
      await own(shell.movedTo)
    return openSessionHost({
      ...deps,
      id,
      state,
      leaving,
      begin: async (options, history) => {
        const problem = await notToBegin(options)
        if (problem) return refused(problem.message)
        const session = newSession(options, history)
        return ok({ session: session.uuid, events: firstEvents(session), live: false })
      },
      folderOf: (other) => sessionFolder(deps.home, state.team, other),
      openTerminal: (heard) => deps.openTerminal({ folder, workspace: state.workspace }, heard),
      oneShots: deps.openOneShots({ folder, team: state.team, workspace: state.workspace }),
    })
  }

  /** Sees to its team on the way. */
  async function notToBegin({ workspace, team }: CreateSession): Promise<Refusal | null> {
    const problem = await badWorkspace(workspace, deps.commands.look)
    if (problem) return problem
    const { teams } = deps.commands
    if (teams.has(team)) return null
    const made = teams.create(team)
    return made.ok ? null : made.error
  }

  function newSession(options: CreateSession, history: readonly SuppliedMessage[]): NewSession {
    const { limits: caps, approval, clock, uuid } = deps
    return { options, limits: caps, approval, history, at: clock(), uuid: uuid() }
  }

  async function begin(
    options: CreateSession,
    history: readonly SuppliedMessage[],
  ): Promise<Result<SessionHost, Refusal>> {
    const problem = await notToBegin(options)
    if (problem) return refused(problem)
    const session = newSession(options, history)
    const id = session.uuid
    const folder = sessionFolder(deps.home, options.team, id)
    const taken = await takeTerminal(options, {
      id,
      folder,
      begin: (news) => firstEvents({ ...session, news }),
    })
    if (!taken.ok) return taken
    if (!taken.value) await store.append(id, 0, { events: firstEvents(session) })
    const owned = await own(id)
    return owned
      ? ok(owned.host)
      : refused({ code: 'session_closed', message: 'Server is ending.' })
  }

  /** Whether the session has begun with it; without one to take it begins like any other. */
  async function takeTerminal(
    { terminalFrom, team }: CreateSession,
    taker: Taker,
  ): Promise<Result<boolean, Refusal>> {
    if (terminalFrom === undefined) return ok(false)
    const owned = await own(terminalFrom)
    if (owned === null)
      return refused({
        code: 'not_found',
        message: `There is no session ${terminalFrom} to take the terminal from.`,
      })
    if (owned.host.view().team !== team)
      return refused({
        code: 'bad_request',
        message: `A terminal stays in its team: session ${terminalFrom} is of another one than ${team}.`,
      })
    return owned.handOver(taker)
  }

  /** Marked first, so that nobody opens it again; then stopped; then forgotten. */
  async function remove(id: SessionId): Promise<boolean> {
    const owned = await own(id)
    if (owned === null) return false
    const unmark = hosts.mark(id)
    try {
      const { team } = owned.host.view()
      await leave(owned, { reason: 'deleted', shells: 'end' })
      hosts.forget(id)
      await store.remove(id)
      deps.inputHelp.forget(id)
      await rm(sessionFolder(deps.home, team, id), { recursive: true, force: true })
      return true
    } finally {
      unmark()
    }
  }

  async function leave(
    owned: OwnedHost,
    { reason, shells }: { reason: 'deleted' | 'shutdown'; shells: 'keep' | 'end' },
  ): Promise<void> {
    if (shells === 'end') await owned.endShell()
    await owned.release(reason)
    // A command that came in between may have begun another shell.
    if (shells === 'end') await owned.endShell()
  }

  function told(what: string): (error: unknown) => void {
    return (error) => diagnose(what, error)
  }

  async function createThrowAway(
    messages: readonly SuppliedMessage[],
  ): Promise<Result<SessionHost, Refusal>> {
    const prompt = messages.at(-1)
    if (prompt === undefined || prompt.content.trim() === '')
      return refused({ code: 'empty_input', message: 'The last message, the prompt, is empty.' })
    const { workspace } = deps
    const options: CreateSession = {
      workspace,
      team: 'default',
      title: 'agent',
      approval: 'refuse',
    }
    const created = await begin(options, messages.slice(0, -1))
    if (!created.ok) return created
    const submit = { type: 'submit', text: prompt.content, as: 'text' } as const
    const accepted = await created.value.handle(submit, { kind: 'user', client: 'agent' })
    return accepted.ok ? created : accepted
  }

  /** Of a shell that no log tells of: the server died while it started, or the session is gone. */
  async function endStray({ id, folder }: HeldFolder): Promise<void> {
    if (hosts.isKnown(id)) return
    const summary = await store.summary(id)
    if (summary?.live) return
    // Opening a session ends what its log does not know.
    if (summary !== null) return void (await own(id))
    await endHolder(folder)
    await rm(folder, { recursive: true, force: true })
  }

  return {
    async create(options) {
      const created = await (options.terminalFrom === undefined
        ? begin(options, [])
        : moves.run(options.terminalFrom, () => begin(options, [])))
      if (created.ok) await registerFolder(deps.commands, options.team, options.workspace)
      return created
    },
    createThrowAway,
    async open(id) {
      const opened = own(id)
      if (await within(patienceMs, opened)) return (await opened)?.host ?? null
      throw new StoreError('store_busy', `session ${id} cannot be opened yet`)
    },
    list: (filter) => store.list(filter),
    remove: (id) => moves.run(id, () => remove(id)),
    async endShell(id) {
      await (await own(id))?.endShell()
    },
    letGo: hosts.letGo,
    count: () => hosts.all().length,
    async resume() {
      const left = await store.list({ live: true, limit: limits.resumedSessions })
      // One that cannot be opened yet, for its disk is full, goes on by itself.
      await inGroups(left, resumedAtOnce, ({ id }) =>
        within(patienceMs, own(id)).catch(told(`cannot resume session ${id}`)),
      )
      for await (const held of heldFolders(deps.home))
        await endStray(held).catch(told(`cannot end the holder of session ${held.id}`))
    },
    isBusy: () => hosts.all().some((owned) => owned.isBusy()),
    subscribers: () => hosts.all().reduce((sum, owned) => sum + owned.subscribers(), 0),
    forgetOutput: (id, before) => hosts.get(id)?.forgetOutput(before) ?? false,
    async close(shells) {
      await within(patienceMs, moves.idle())
      if (shells === 'end') {
        const live = await store.list({ live: true, limit: limits.endedSessions })
        const opened = live.map(({ id }) => own(id).catch(told(`cannot open session ${id}`)))
        await within(patienceMs, Promise.all(opened))
      }
      const left = await hosts.end()
      await Promise.all(
        left.map((owned) =>
          leave(owned, { reason: 'shutdown', shells }).catch(
            told(`session ${owned.host.id} could not be closed`),
          ),
        ),
      )
    },
  }
}
