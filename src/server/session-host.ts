import type { Delta } from '../protocol/delta.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { Result } from '../protocol/result.ts'
import type { Head, SessionId } from '../protocol/seq.ts'
import type { SessionState } from '../log/state.ts'
import type { Catalogue } from '../session/catalogue.ts'
import { cacheOf } from './cache-report.ts'
import { type Begin, compact } from './compact.ts'
import type { InputHelp } from './complete/input-help.ts'
import { createCommit, isLive } from './commit.ts'
import { createConversationKeeper } from './conversation-keeper.ts'
import { createEffects } from './effects.ts'
import { exportSession } from './export.ts'
import { handOver, type Taker } from './hand-over.ts'
import type { SessionHost } from './host.ts'
import { createLive } from './live.ts'
import { createLobby } from './lobby.ts'
import { createEdgeCommands, type EdgeCommandsDeps } from './edge-commands.ts'
import { withPictures } from './model/fill-pictures.ts'
import type { Models } from './model/models.ts'
import type { OneShots } from './one-shot/one-shots.ts'
import { perform } from './perform.ts'
import { createPublisher } from './publish.ts'
import { recover } from './recover.ts'
import { findRun, readRunBytes, readRunOutput } from './run-output.ts'
import type { EventStore } from './store/store.ts'
import { noInput } from './terminal/lane/no-input.ts'
import type { ShellEnd, Terminal } from './terminal/terminal.ts'
import type { TerminalEvents } from './terminal/terminal-options.ts'
import { within } from './terminal/within.ts'
import { viewOf } from './view-of.ts'
import { type Gathered, needsWorld, nothingGathered, type Worlds } from './world.ts'
import { createWriter, type Writer } from './writer.ts'

export interface SessionHostDeps {
  id: SessionId
  /** As loaded: what is open in it was begun by an earlier server. */
  state: SessionState
  store: EventStore
  models: Models
  worlds: Worlds
  catalogue(state: SessionState, gathered: Gathered): Omit<Catalogue, 'noInput' | 'mark'>
  commands: EdgeCommandsDeps
  inputHelp: InputHelp
  /** What another session over a history begins with. */
  begin: Begin
  openTerminal(heard: TerminalEvents): Terminal
  /** Of another session of the same team. */
  folderOf(session: SessionId): string
  oneShots: OneShots
  /** The server ends: what is being opened is not waited for. */
  leaving: AbortSignal
  diagnose(message: string, error: unknown): void
  clock(): number
  uuid(): string
}

/** A host and what only its owner may do with it. */
export interface OwnedHost {
  host: SessionHost
  /** Gives the shell to a session that begins with it; false when there is none. */
  handOver(taker: Taker): Promise<Result<boolean, Refusal>>
  /** Ends the shell and its holder; the log stays. */
  endShell(): Promise<void>
  /** The server leaves: runs live on in their holder, replies are picked up by recovery. */
  release(reason: 'deleted' | 'shutdown'): Promise<void>
  isBusy(): boolean
  /** Nobody follows or looks, there is no shell, and nothing is under way or waits. */
  isIdle(): boolean
  subscribers(): number
  /** Lets go of old output; false when no holder is connected. */
  forgetOutput(before: number): boolean
}

const replayPage = 500
/** A few lines are written to the log; a disk that is full must not keep a server from ending. */
const toldMs = 2_000

/** Wires one session: writer, effects, terminal, live text, subscribers. */
export async function openSessionHost(deps: SessionHostDeps): Promise<OwnedHost> {
  const { id, store, oneShots } = deps
  const live = createLive((delta) => publisher.delta(delta))
  const keeper = createConversationKeeper(store, id)
  const publisher = createPublisher({
    read: (after: Head) => store.read(id, { after, limit: replayPage }),
    catchUp: () => [...live.catchUp(), ...shownTerminal(terminal)],
    diagnose: deps.diagnose,
  })
  const terminal = deps.openTerminal({
    onShellEnd: (end) => {
      shellEnded(end).catch((error: unknown) =>
        deps.diagnose('the shell’s end could not be told', error),
      )
    },
    onTyped: async (report) => void (await writer.report(report)),
    onLevel: async (report) => void (await writer.report(report)),
  })
  terminal.lane.onState(publisher.delta)
  let isViewed = false
  let views = 0
  let gathered = nothingGathered
  const { team, workspace } = deps.state
  const models = withPictures(deps.models, (hash) => store.blob(id, hash))
  const commands = createEdgeCommands(deps.commands, {
    id,
    team,
    workspace,
    view: () => host.view(),
    model: () => deps.catalogue(writer.state(), gathered).setup.model,
    world: async () => (await deps.worlds.gather(writer.state())).world,
    export: (format) => host.export(format),
    adopt: () => terminal.adopt(),
  })
  const effects = createEffects({
    perform: (work, context) =>
      perform(work, context, {
        models,
        commands,
        compact: (turn) => compact({ store, session: id, writer }, turn, deps.begin),
        terminal,
        oneShots,
        live,
        publish: publisher.delta,
        saveDraft: (step, text) => {
          store.saveDraft(id, { step, text }).catch((error: unknown) => {
            deps.diagnose('the draft of a reply could not be saved', error)
          })
        },
        request: keeper.request,
        witness: keeper.witness,
      }),
    async report(report) {
      const isTold = await writer.report(report)
      // Whoever looks meanwhile gets this shell, and none of their own when it ends.
      if (report.type === 'shell-started' || report.type === 'shell-failed') isViewed = false
      return isTold
    },
    wantsShell: () => isViewed,
    diagnose: deps.diagnose,
    loadedHead: deps.state.head,
  })
  let isOpen = false
  let onShellGone: () => void = () => undefined
  const commit = createCommit({ id, store, keeper, live, publisher })
  const writer: Writer = createWriter({
    state: deps.state,
    catalogue: () => ({
      ...deps.catalogue(writer.state(), gathered),
      noInput: noInput(terminal.lane),
      mark: terminal.stamp(),
    }),
    async commit(batch) {
      await commit(batch)
      deps.inputHelp.stored(id, batch.before, batch.events)
    },
    findKey: (key) => store.findKey(id, key),
    onState: (state) => {
      if (state.shell.phase !== 'live') onShellGone()
      if (isOpen) effects.reconcile(state)
    },
    onSignal(signal) {
      const gone = new Promise<void>((resolve) => {
        onShellGone = resolve
      })
      const done = terminal
        .interrupt(signal)
        .catch((error: unknown) => deps.diagnose(`the shell could not be told: ${signal}`, error))
      // What is sent next is for the shell after this one, whose end has to be known for that.
      if (signal === 'restart') lobby.hold(done.then(async () => void (await within(toldMs, gone))))
    },
    onDriver: (driver) => terminal.lane.drive(driver),
    onKeep: terminal.keep,
    onFull() {
      for (const { request } of writer.state().runs)
        if (request !== null) publisher.delta({ type: 'tool_update', request, status: 'disk_full' })
    },
    diagnose: deps.diagnose,
    clock: deps.clock,
    uuid: deps.uuid,
  })
  const lobby = createLobby({
    writer,
    ptyAt: terminal.lane.heard,
    async prepare(intent) {
      if (!needsWorld(intent, writer.state())) return () => undefined
      const input = 'text' in intent ? intent.text : undefined
      const found = await deps.worlds.gather(writer.state(), input)
      return () => {
        gathered = found
      }
    },
  })

  /** A run that ended with its shell is told before the shell's end, so that it keeps its output. */
  async function shellEnded(end: ShellEnd): Promise<void> {
    await effects.runsSettled()
    await writer.report({ type: 'shell-ended', ...end })
  }

  await oneShots.endLeftovers()
  // A turn that an earlier server promised may begin by itself, and tell the model of the world.
  if (deps.state.epoch === null && deps.state.calls.length > 0)
    gathered = await deps.worlds.gather(deps.state)
  const giveUp = () => void writer.stop()
  deps.leaving.addEventListener('abort', giveUp, { once: true })
  await recover({ id, store, terminal, writer, folderOf: deps.folderOf })
  deps.leaving.removeEventListener('abort', giveUp)
  isOpen = !deps.leaving.aborted
  if (isOpen) effects.reconcile(writer.state())

  const host: SessionHost = {
    id,
    lane: {
      ...terminal.lane,
      view(sink, options) {
        isViewed = startsWhenViewed(writer.state(), options.start ?? false)
        if (isViewed && isOpen) effects.reconcile(writer.state())
        views += 1
        const viewer = terminal.lane.view(sink, options)
        return {
          ...viewer,
          close: once(() => {
            views -= 1
            viewer.close()
          }),
        }
      },
    },
    handle: lobby.handle,
    view: () => viewOf(id, writer.state()),
    subscribe: publisher.subscribe,
    readLog: (range) => store.read(id, range),
    run: (run) => findRun(store, id, run),
    output: (run, page) => readRunOutput({ store, terminal, oneShots, session: id }, run, page),
    bytes: (run, page) => readRunBytes({ store, terminal, oneShots, session: id }, run, page),
    cache: () => cacheOf(store, id),
    export: (format) => exportSession({ store, terminal, oneShots, session: id, format }),
    ...deps.inputHelp.open({
      team,
      workspace,
      cwd: terminal.cwd,
      names: terminal.names,
      world: async () => (await deps.worlds.gather(writer.state())).world,
    }),
  }
  return {
    host,
    handOver: (taker) => handOver({ id, writer, terminal }, taker),
    async endShell() {
      const { shell } = writer.state()
      await terminal.close()
      if (shell.phase !== 'live') return
      const { generation } = shell
      const told = shellEnded({ generation, reason: 'closed', exitCode: null, signal: null })
      // What cannot be stored now is found out by the next server.
      if (!(await within(toldMs, told)))
        deps.diagnose(`the shell’s end of session ${id} is not stored`, 'the store takes nothing')
    },
    async release(reason) {
      await effects.endOneShots()
      await writer.stop()
      // One that began meanwhile ends too; its end is told by recovery.
      await effects.endOneShots()
      await effects.stop()
      publisher.close(reason)
      await terminal.detach()
    },
    isBusy() {
      const { turn, runs } = writer.state()
      return turn !== null || runs.length > 0
    },
    isIdle: () => publisher.count() + views === 0 && !isUnderWay(writer.state()),
    subscribers: publisher.count,
    forgetOutput: terminal.forget,
  }
}

function isUnderWay(state: SessionState): boolean {
  return isLive(state) || state.summary !== null || state.queue.length > 0
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

/** Whoever took the terminal elsewhere and comes back to look did not ask for another one. */
function startsWhenViewed({ shell }: SessionState, isWanted: boolean): boolean {
  const hasMoved = shell.phase === 'gone' && shell.movedTo !== undefined
  return shell.phase !== 'live' && (isWanted || !hasMoved)
}

function shownTerminal({ lane }: Terminal): readonly Delta[] {
  const state = lane.state()
  return state.phase === 'none' ? [] : [state]
}
