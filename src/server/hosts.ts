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
import { createSerial } from './serial.ts'
import type { EventStore } from './store/store.ts'
import { heldFolders, type HeldFolder } from './stray-holders.ts'
import { endHolder } from './terminal/end-holder.ts'
import { findHolder } from './terminal/holder-file.ts'
import { registerFolder } from './teams/register-folder.ts'
import type { Terminal, TerminalEvents } from './terminal/terminal.ts'

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

export function createHosts(deps: HostsDeps): OwnedHosts {
  const { store } = deps
  const opening = new Map<SessionId, Promise<OwnedHost | null>>()
  const open = new Map<SessionId, OwnedHost>()
  /** A session is not deleted while its terminal moves. */
  const moves = createSerial()
  let isClosed = false

  function own(id: SessionId): Promise<OwnedHost | null> {
    if (isClosed) return Promise.resolve(null)
    const known = open.get(id)
    if (known) return Promise.resolve(known)
    const loading = opening.get(id) ?? load(id).finally(() => opening.delete(id))
    opening.set(id, loading)
    return loading
  }

  async function load(id: SessionId): Promise<OwnedHost | null> {
    const state = await loadSession(store, id)
    if (state === null) return null
    const folder = sessionFolder(deps.home, state.team, id)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // A shell that moved from here when a server died is called away first: opening a session ends what its log does not know.
    const { shell } = state
    if (shell.phase === 'gone' && shell.movedTo !== undefined && findHolder(folder))
      await own(shell.movedTo)
    const owned = await openSessionHost({
      ...deps,
      id,
      state,
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
    open.set(id, owned)
    return owned
  }

  /** Sees to its team on the way. */
  async function notToBegin({ workspace, team }: CreateSession): Promise<Refusal | null> {
    const problem = await badWorkspace(workspace)
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

  async function remove(id: SessionId): Promise<boolean> {
    const owned = await own(id)
    if (owned === null) return false
    const { team } = owned.host.view()
    await owned.endShell()
    await owned.release('deleted')
    // A command that came in between may have begun another shell.
    await owned.endShell()
    open.delete(id)
    await store.remove(id)
    deps.inputHelp.forget(id)
    await rm(sessionFolder(deps.home, team, id), { recursive: true, force: true })
    return true
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
    if (isClosed || open.has(id) || opening.has(id)) return
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
        : moves.run(() => begin(options, [])))
      if (created.ok) await registerFolder(deps.commands.teams, options.team, options.workspace)
      return created
    },
    createThrowAway,
    open: async (id) => (await own(id))?.host ?? null,
    list: (filter) => store.list(filter),
    remove: (id) => moves.run(() => remove(id)),
    async endShell(id) {
      await (await own(id))?.endShell()
    },
    count: () => open.size,
    async resume() {
      const left = await store.list({ live: true, limit: limits.resumedSessions })
      for (const { id } of left)
        await own(id).catch((error: unknown) => deps.diagnose(`cannot resume session ${id}`, error))
      for await (const held of heldFolders(deps.home))
        await endStray(held).catch((error: unknown) =>
          deps.diagnose(`cannot end the holder of session ${held.id}`, error),
        )
    },
    isBusy: () => [...open.values()].some((owned) => owned.isBusy()),
    subscribers: () => [...open.values()].reduce((sum, owned) => sum + owned.subscribers(), 0),
    forgetOutput: (id, before) => open.get(id)?.forgetOutput(before) ?? false,
    async close(shells) {
      await moves.idle()
      if (shells === 'end')
        for (const { id } of await store.list({ live: true, limit: limits.resumedSessions }))
          await own(id)
      isClosed = true
      await Promise.allSettled(opening.values())
      for (const owned of open.values()) {
        if (shells === 'end') await owned.endShell()
        await owned.release('shutdown')
        if (shells === 'end') await owned.endShell()
      }
      open.clear()
    },
  }
}
