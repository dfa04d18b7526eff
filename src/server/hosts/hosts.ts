import { mkdir, rm } from 'node:fs/promises'
import { limits } from '../../protocol/limits.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { type BeginDeps, createBeginnings } from './begin-session.ts'
import { createHostSet, type HostSet } from './host-set.ts'
import { resumeSessions } from './resume-sessions.ts'
import { createThrowAways } from './throw-aways.ts'
import type { OneShots } from '../one-shot/one-shots.ts'
import { sessionFolder } from '../process/data-folder.ts'
import type { Hosts, OwnedHost, SessionHostDeps } from '../session/host.ts'
import { loadSession } from '../session/recover.ts'
import { openSessionHost } from '../session/session-host.ts'
import { createKeyedSerial } from '../session/serial.ts'
import { registerFolder } from '../teams/repo-folder.ts'
import { leftFolder, markDeleted, unmarkDeleted } from '../damage/session-folders.ts'
import { lostSession, namingSession, worldRefusal } from '../store/store-error.ts'
import { endHolder } from '../terminal/holder/end-holder.ts'
import { findHolder } from '../terminal/holder/start-holder.ts'
import type { TerminalEvents } from '../terminal/terminal-options.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { within } from '../terminal/within.ts'

/** Every session gets these alike. */
type Shared = Pick<
  SessionHostDeps,
  'models' | 'gather' | 'facts' | 'commands' | 'inputHelp' | 'diagnose' | 'clock' | 'uuid'
>

export interface HostsDeps extends Shared, Omit<BeginDeps, 'own' | 'commands'> {
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

/** So long an end waits for a session whose disk or holder does not answer. */
const patienceMs = 5_000

export function createHosts(deps: HostsDeps): OwnedHosts {
  const { store, home, diagnose } = deps
  const hosts = createHostSet({ load, idleMs: deps.idleMs, diagnose })
  const { own } = hosts
  const { begin, modeIn, firstOf } = createBeginnings({ ...deps, own })
  /** A session is not deleted while its terminal moves. One that hangs holds up only itself. */
  const moves = createKeyedSerial()
  const removing = (id: SessionId) => moves.run(id, () => remove(id, hosts, deps))
  const throwAways = createThrowAways({ ...deps, begin, modeIn, hosts, remove: removing })

  async function load(id: SessionId, leaving: AbortSignal): Promise<OwnedHost | null> {
    const state = await loadSession(store, id).catch((error: unknown) => {
      throw namingSession(id, error)
    })
    if (state === null) {
      if ((await leftFolder(home, id)) !== null) throw lostSession(id)
      return null
    }
    const { team, workspace, shell } = state
    const folder = sessionFolder(home, team, id)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // A shell that moved from here when a server died is called away first: opening a session ends what its log does not know.
    if (shell.phase === 'gone' && shell.movedTo !== undefined && findHolder(folder))
      await own(shell.movedTo)
    return openSessionHost({
      ...deps,
      id,
      state,
      leaving,
      begin: firstOf,
      folderOf: (other) => sessionFolder(home, team, other),
      openTerminal: (heard) => deps.openTerminal({ folder, workspace }, heard),
      oneShots: deps.openOneShots({ folder, team, workspace }),
    })
  }

  async function close(shells: 'keep' | 'end'): Promise<void> {
    await within(patienceMs, moves.idle())
    const told = (what: string) => (error: unknown) => diagnose(what, error)
    if (shells === 'end') {
      const live = await store.list({ live: true, limit: limits.endedSessions })
      const opened = live.map(({ id }) =>
        own(id).catch((error: unknown) => {
          told(`cannot open session ${id}`)(error)
          return endLeftShell(home, id)
        }),
      )
      await within(patienceMs, Promise.all(opened))
    }
    const left = (await hosts.end()).map((owned) =>
      leave(owned, { reason: 'shutdown', shells }).catch(
        told(`session ${owned.host.id} could not be closed`),
      ),
    )
    await Promise.all(left)
  }

  return {
    async create(options) {
      const { terminalFrom: from } = options
      const created = await (from === undefined
        ? begin(options)
        : moves.run(from, () => begin(options)))
      if (created.ok) await registerFolder(deps.commands, options.team, options.workspace)
      return created
    },
    ...throwAways.calls,
    open: hosts.open,
    list: (filter) => store.list({ ...filter, listed: true }),
    remove: removing,
    count: () => hosts.all().length,
    resume: () => throwAways.afterResume(() => resumeSessions({ store, home, hosts, diagnose })),
    isBusy: () => hosts.all().some((owned) => owned.isBusy()),
    subscribers: () => hosts.all().reduce((sum, owned) => sum + owned.subscribers(), 0),
    forgetOutput: (id, before) => hosts.get(id)?.forgetOutput(before) ?? false,
    close,
  }
}

/** Marks it first, so that nobody opens it again; then stops it; then forgets it. */
async function remove(id: SessionId, hosts: HostSet, deps: HostsDeps): Promise<boolean> {
  const owned = await hosts.own(id).catch((error: unknown) => {
    if (worldRefusal(error)?.code === 'damaged') return 'damaged' as const
    throw error
  })
  if (owned === null) return false
  if (owned === 'damaged') return removeDamaged(id, deps)
  const unmark = hosts.mark(id)
  try {
    const { team } = owned.host.view()
    await leave(owned, { reason: 'deleted', shells: 'end' })
    hosts.forget(id)
    await removeStored(id, sessionFolder(deps.home, team, id), deps)
    return true
  } finally {
    unmark()
  }
}

/** One whose log cannot be read has no host; what is left of it can go all the same. */
async function removeDamaged(id: SessionId, deps: HostsDeps): Promise<boolean> {
  await endLeftShell(deps.home, id)
  await removeStored(id, await leftFolder(deps.home, id), deps)
  return true
}

/** A shell whose log cannot be read ends like any other. */
async function endLeftShell(home: string, id: SessionId): Promise<void> {
  const folder = await leftFolder(home, id)
  if (folder !== null) await endHolder(folder)
}

async function removeStored(id: SessionId, folder: string | null, deps: HostsDeps): Promise<void> {
  if (folder !== null) await markDeleted(folder)
  await deps.store.remove(id)
  deps.inputHelp.forget(id)
  // A holder of an earlier version may write its shell's last words while its folder goes.
  const again = { maxRetries: 3, retryDelay: 50 }
  if (folder === null) return
  await rm(folder, { recursive: true, force: true, ...again })
  await unmarkDeleted(folder)
}

interface Leaving {
  reason: 'deleted' | 'shutdown'
  shells: 'keep' | 'end'
}

async function leave(owned: OwnedHost, { reason, shells }: Leaving): Promise<void> {
  if (shells === 'end') await owned.endShell()
  await owned.release(reason)
  // A command that came in between may have begun another shell.
  if (shells === 'end') await owned.endShell()
}
