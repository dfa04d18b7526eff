import type { ToolRequest } from '../../protocol/events/call.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import type { SessionView } from '../../protocol/http/session-view.ts'
import type { SessionState } from '../../log/state.ts'
import type { Report } from '../../session/record/report.ts'
import type { EdgeSession } from '../commands/edge-answer.ts'
import { runEdgeCommand } from '../commands/edge-commands.ts'
import { withPictures } from '../model/pictures.ts'
import { createCommit, type Publisher } from './commit.ts'
import { compact } from './hand-over.ts'
import { createEffects, type Effects } from './effects.ts'
import type { SessionPages } from '../pages/session-pages.ts'
import type { SessionHostDeps } from './host.ts'
import type { SessionWorld } from '../world/session-world.ts'
import type { IntakeQueue } from './intake.ts'
import type { Live } from './live.ts'
import type { MeasuredRequests } from './measured-requests.ts'
import { perform, type PerformDeps } from './perform.ts'
import { judgeCall } from '../policy/judge-call.ts'
import { createSessionTasks } from '../policy/session-tasks.ts'
import { createWriter, type Writer } from './writer.ts'
import type { LiveView, LiveViewer } from '../terminal/live-view/live-view.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { within } from '../terminal/within.ts'
import type { FolderRules } from '../world/folder-rules.ts'

/** Passes values from a part that was made early to one that is made later. */
export function createRelay<Value, Answer>(atFirst: (value: Value) => Answer) {
  let receiver = atFirst
  return {
    send: (value: Value): Answer => receiver(value),
    receive(next: (value: Value) => Answer): void {
      receiver = next
    },
  }
}

export function openTerminal(
  deps: SessionHostDeps,
  report: (report: Report) => Promise<boolean>,
): Terminal {
  return deps.openTerminal({
    onShellEnd(end) {
      report({ type: 'shell-ended', ...end }).catch((error: unknown) =>
        deps.diagnose('the shell’s end could not be told', error),
      )
    },
    onTyped: async (typed) => void (await report(typed)),
    onLevel: async (level) => void (await report(level)),
  })
}

interface Outgoing {
  publisher: Publisher
  live: Live
  requests: MeasuredRequests
}

interface WriterParts extends Outgoing {
  terminal: Terminal
  world: SessionWorld
  queue: IntakeQueue
  onState(state: SessionState): void
}

/** So long what is sent next waits for the end of a shell that is restarted. */
const shellGoneMs = 2_000

export function openWriter(deps: SessionHostDeps, parts: WriterParts): Writer {
  const { id, store, diagnose } = deps
  const { publisher, terminal, world, queue } = parts
  const commit = createCommit({ ...parts, id, store })
  let shellIsGone = () => {}
  return createWriter({
    ...deps,
    catalogue: world.catalogue,
    async commit(batch) {
      await commit(batch)
      for (const hear of deps.inputHelp.listeners) hear(id, batch.before, batch.events)
      keepRules(deps.commands.rules, batch.events, diagnose)
    },
    findKey: (key) => store.findKey(id, key),
    onState(state) {
      if (state.shell.phase !== 'live') shellIsGone()
      parts.onState(state)
    },
    onSignal(signal) {
      const gone = new Promise<void>((resolve) => {
        shellIsGone = resolve
      })
      const done = terminal
        .interrupt(signal)
        .catch((error: unknown) => diagnose(`the shell could not be told: ${signal}`, error))
      // The next intent is for the shell after this one, whose end has to be known for that.
      if (signal === 'restart')
        queue.hold(done.then(async () => void (await within(shellGoneMs, gone))))
    },
    onDriver: (driver) => terminal.liveView.drive(driver),
    onKeep: terminal.keep,
    onFull({ runs }) {
      for (const { request } of runs)
        if (request !== null) publisher.delta({ type: 'tool_update', request, status: 'disk_full' })
    },
  })
}

/** Keeps the rules that yeses made for a folder; one that cannot be kept is asked about again. */
export function keepRules(
  { keep }: Pick<FolderRules, 'keep'>,
  events: readonly Event[],
  diagnose: (message: string, error: unknown) => void,
): void {
  for (const event of events) {
    if (event.type !== 'elicitation_response' || event.rule?.scope !== 'folder') continue
    try {
      keep({ ...event.rule, by: event.by, at: event.at })
    } catch (error) {
      diagnose('a rule of the folder could not be kept', error)
    }
  }
}

interface EffectsParts extends Outgoing {
  terminal: Terminal
  world: SessionWorld
  writer: Writer
  views: ReturnType<typeof watchViews>
  pages: SessionPages
  view(): SessionView
}

export function openEffects(deps: SessionHostDeps, parts: EffectsParts): Effects {
  const { id, store, oneShots, diagnose } = deps
  const { publisher, requests, live, terminal, world, writer, views } = parts
  const { team, workspace } = deps.state
  const session: EdgeSession = {
    ...deps.commands,
    id,
    team,
    workspace,
    view: parts.view,
    model: () => world.model(writer.state()),
    world: async () => (await deps.gather(writer.state())).world,
    export: parts.pages.export,
    adopt: () => terminal.adopt(),
  }
  function saveDraft(step: Seq, text: string): void {
    store.saveDraft(id, { step, text }).catch((error: unknown) => {
      diagnose('the draft of a reply could not be saved', error)
    })
  }
  const tasks = createSessionTasks(deps.folderOf(id))
  const tools: PerformDeps = {
    judge: (work) =>
      judgeCall(work, {
        ...terminal,
        tasks,
        state: writer.state,
        world: session.world,
        oneShotShell: oneShots.shell,
        folderRules: session.rules.of,
      }),
    began: tasks.began,
    models: withPictures(deps.models, (hash) => store.blob(id, hash)),
    command: (call: ToolRequest) => runEdgeCommand(session, call),
    compact: (turn: Seq) => compact({ store, session: id, writer }, turn, deps.begin),
    terminal,
    oneShots,
    live,
    publish: publisher.delta,
    saveDraft,
    request: requests.request,
    witness: requests.witness,
  }
  return createEffects({
    perform: (work, context) => perform(work, context, tools),
    async report(report) {
      const isTold = await writer.report(report)
      // Those who look meanwhile get this shell, and none of their own when it ends.
      if (report.type === 'shell-started' || report.type === 'shell-failed') views.hasShell()
      return isTold
    },
    wantsShell: views.wantsShell,
    diagnose,
    loadedHead: deps.state.head,
  })
}

/** Those who look at the terminal; one who does wants a shell to look at. */
export function watchViews(liveView: LiveView, onWanted: () => void) {
  const open = new Set<LiveViewer>()
  let isWanted = false
  return {
    view(state: SessionState, ...[sink, options]: Parameters<LiveView['view']>): LiveViewer {
      isWanted = startsWhenViewed(state, options.start ?? false)
      if (isWanted) onWanted()
      const viewer = liveView.view(sink, options)
      open.add(viewer)
      return {
        ...viewer,
        close() {
          if (open.delete(viewer)) viewer.close()
        },
      }
    },
    count: () => open.size,
    wantsShell: () => isWanted,
    /** There is one, or it could not be started. */
    hasShell(): void {
      isWanted = false
    },
  }
}

/** A person who took the terminal elsewhere and comes back to look did not ask for another one. */
function startsWhenViewed({ shell }: SessionState, isWanted: boolean): boolean {
  const hasMoved = shell.phase === 'gone' && shell.movedTo !== undefined
  return shell.phase !== 'live' && (isWanted || !hasMoved)
}
