import type { Delta } from '../../protocol/stream/delta.ts'
import type { Head, SessionId } from '../../protocol/events/seq.ts'
import type { Intent } from '../../protocol/http/intent.ts'
import type { SessionView } from '../../protocol/http/session-view.ts'
import { status } from '../../log/open.ts'
import type { SessionState } from '../../log/state.ts'
import type { Report } from '../../session/record/report.ts'
import { createSessionPages } from '../pages/session-pages.ts'
import { isLive, createPublisher } from './commit.ts'
import { handOver } from './hand-over.ts'
import type { OwnedHost, SessionHost, SessionHostDeps } from './host.ts'
import { createSessionWorld, type SessionWorld } from '../world/session-world.ts'
import { createIntake, createIntakeQueue } from './intake.ts'
import { createLive } from './live.ts'
import { createMeasuredRequests } from './measured-requests.ts'
import { recover } from './recover.ts'
import { createRelay, openEffects, openTerminal, openWriter, watchViews } from './session-parts.ts'
import type { Writer } from './writer.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { within } from '../terminal/within.ts'

const replayPage = 500
/** A few lines are written to the log; a disk that is full must not keep a server from ending. */
const toldMs = 2_000

/** Wires one session, in the order in which its parts need each other. */
export async function openSessionHost(deps: SessionHostDeps): Promise<OwnedHost> {
  const { id, store, oneShots, diagnose } = deps
  const read = (after: Head) => store.read(id, { after, limit: replayPage })
  const publisher = createPublisher({ read, diagnose })
  const live = createLive(publisher.delta)
  const requests = createMeasuredRequests(store, id)
  const reports = createRelay<Report, Promise<boolean>>(async () => true)
  const terminal = openTerminal(deps, reports.send)
  terminal.liveView.onState(publisher.delta)
  const world = createSessionWorld(deps, terminal)
  const queue = createIntakeQueue()
  const states = createRelay<SessionState, void>(() => undefined)
  const out = { publisher, live, requests }
  const writer = openWriter(deps, { ...out, terminal, world, queue, onState: states.send })
  const views = watchViews(terminal.liveView, () => states.send(writer.state()))
  const pages = createSessionPages({ store, terminal, oneShots, session: id })
  const view = () => viewOf(id, writer.state())
  const effects = openEffects(deps, { ...out, terminal, world, writer, views, pages, view })
  reports.receive(async (report) => {
    // A run that ended with its shell is told before the shell's end, so that it keeps its output.
    if (report.type === 'shell-ended') await effects.runsSettled()
    return writer.report(report)
  })
  await takeOver(deps, { terminal, world, writer })
  if (!deps.leaving.aborted) states.receive(effects.reconcile)
  states.send(writer.state())
  const intake = createIntake({
    writer,
    queue,
    ptyAt: terminal.liveView.heard,
    secretAsked: terminal.secretAsked,
    isTaken: async (key) => (await store.findKey(id, key)) !== null,
    lookAround: (intent) => world.lookAround(writer.state(), textOf(intent)),
  })
  const host: SessionHost = {
    id,
    liveView: {
      ...terminal.liveView,
      view: (sink, options) => views.view(writer.state(), sink, options),
    },
    handle: intake.handle,
    view,
    subscribe: (after, sink) =>
      publisher.subscribe(after, sink, () => [...live.catchUp(), ...shownTerminal(terminal)]),
    ...pages,
    ...deps.inputHelp.open({
      ...deps.state,
      ...terminal,
      world: async () => (await deps.gather(writer.state())).world,
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
      const end = { generation, reason: 'closed', exitCode: null, signal: null } as const
      // An end that cannot be stored now is found out by the next server.
      if (!(await within(toldMs, reports.send({ type: 'shell-ended', ...end }))))
        diagnose(`the shell’s end of session ${id} is not stored`, 'the store takes nothing')
    },
    async release(reason) {
      await effects.endOneShots()
      await writer.stop()
      // A run that began meanwhile ends too; its end is told by recovery.
      await effects.endOneShots()
      await effects.stop()
      publisher.close(reason)
      await terminal.detach()
    },
    isBusy: () => isBusy(writer.state()),
    isIdle: () => publisher.count() + views.count() === 0 && !isUsed(writer.state()),
    subscribers: publisher.count,
    forgetOutput: terminal.forget,
  }
}

const textOf = (intent: Intent) => ('text' in intent ? intent.text : undefined)

interface TakenOver {
  terminal: Terminal
  world: SessionWorld
  writer: Writer
}

/** Goes on from an earlier server; one that ends meanwhile does not wait for it. */
async function takeOver(deps: SessionHostDeps, parts: TakenOver): Promise<void> {
  const { state, oneShots, leaving } = deps
  const { world, writer } = parts
  await oneShots.endLeftovers()
  // A turn that an earlier server promised may begin by itself, and tell the model of the world.
  if (state.epoch === null && state.calls.length > 0) (await world.lookAround(state))()
  const giveUp = () => void writer.stop()
  leaving.addEventListener('abort', giveUp, { once: true })
  await recover({ ...deps, ...parts })
  leaving.removeEventListener('abort', giveUp)
}

function isBusy({ turn, runs }: SessionState): boolean {
  return turn !== null || runs.length > 0
}

function isUsed(state: SessionState): boolean {
  return isLive(state) || state.queue.length > 0
}

function shownTerminal({ liveView }: Terminal): readonly Delta[] {
  const state = liveView.state()
  return state.phase === 'none' ? [] : [state]
}

/** The session as it stands, for a client that opens it. */
export function viewOf(id: SessionId, state: SessionState): SessionView {
  const { shell } = state
  return {
    id,
    team: state.team,
    workspace: state.workspace,
    title: state.title,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    head: state.head,
    seq: state.head,
    status: status(state),
    approval: state.approval,
    private: state.private,
    ...(state.rules.length > 0 && { rules: [...state.rules] }),
    ...(state.settings.length > 0 && { settings: [...state.settings] }),
    model: state.epoch?.model ?? null,
    meter: state.meter,
    shell:
      shell.phase === 'live'
        ? { generation: shell.generation, pid: shell.pid, cwd: shell.cwd }
        : null,
    open: {
      turn: state.turn?.seq ?? null,
      step: state.step?.seq ?? null,
      calls: state.calls.map((call) => call.request),
      runs: [...state.runs],
      levels: [...state.levels],
      asks: [...state.asks],
      queue: [...state.queue],
    },
  }
}
