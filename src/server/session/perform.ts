import { nothing } from '../../base/text.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { assertNever } from '../../base/assert-never.ts'
import type { ToolRequest } from '../../protocol/events/call.ts'
import type { Delta } from '../../protocol/stream/delta.ts'
import type { Result } from '../../base/result.ts'
import type { RunStart } from '../../protocol/events/run.ts'
import type { Seq, SessionId } from '../../protocol/events/seq.ts'
import type { Witness } from '../../protocol/events/turn.ts'
import type { Effect } from '../../session/due.ts'
import type { Judged, Report } from '../../session/record/report.ts'
import type { EdgeAnswer } from '../commands/edge-answer.ts'
import { type Model, ModelError, type ModelRequest } from '../model/model.ts'
import type { Models } from '../model/models.ts'
import type { OneShots } from '../one-shot/one-shots.ts'
import { callModel, createDraftSaver } from './call-model.ts'
import type { Live } from './live.ts'
import type { RunWatch, Terminal } from '../terminal/terminal.ts'

export type Work = Effect

export interface PerformDeps {
  judge(work: Work & { type: 'judge' }): Promise<Judged>
  /** A model's command begins. */
  began(call: Seq): Promise<void>
  models: Models
  command(call: ToolRequest): Promise<EdgeAnswer>
  /** Begins the session that goes on from the summary this turn gave. */
  compact(turn: Seq): Promise<Result<SessionId, string>>
  terminal: Terminal
  oneShots: OneShots
  live: Live
  publish(delta: Delta): void
  saveDraft(step: Seq, text: string): void
  request(): ModelRequest
  witness(): Witness
}

export interface PerformContext {
  signal: AbortSignal
  /** An earlier server began this; it is picked up, never done again. */
  isResumed: boolean
  report(report: Report): Promise<void>
}

/** Does what an effect says, and reports what it found. Resolves when there is nothing left of it. */
export async function perform(
  work: Work,
  context: PerformContext,
  deps: PerformDeps,
): Promise<void> {
  switch (work.type) {
    case 'call-model':
      return askModel(work.step, context, deps)
    case 'start-shell':
      return startShell(work, context, deps)
    case 'judge':
      return context.report(await deps.judge(work))
    case 'act':
      return performAct(work, context, deps)
    case 'command':
      return context.report({
        type: 'command-done',
        call: work.call.seq,
        ...(await deps.command(work.call)),
      })
    case 'compact':
      return context.report({
        type: 'compacted',
        turn: work.turn,
        next: await deps.compact(work.turn),
      })
    case 'await-terminal':
      return awaitTerminal(work, context)
    case 'run':
      if (work.by === 'model' && work.run.request !== null) await deps.began(work.run.request)
      return runCommand(work, context, deps)
    default:
      return assertNever(work)
  }
}

async function askModel(step: Seq, context: PerformContext, deps: PerformDeps): Promise<void> {
  const draft = createDraftSaver((text) => deps.saveDraft(step, text))
  const witness = deps.witness()
  const request = deps.request()
  const ending = await callModel({
    model: await openModel(deps.models, request, context.signal),
    request,
    signal: context.signal,
    times: deps.models.times,
    onText(text) {
      deps.publish(deps.live.addText(step, text))
      draft.update(deps.live.text(step))
    },
    onThought: (news) => deps.publish(deps.live.addThought(step, news)),
    onRetry: (error) => void context.report({ type: 'reply-retried', step, error }),
  })
  draft.flush()
  await context.report({ type: 'reply-ended', step, witness, ...ending })
}

/** A model that cannot be opened fails like one that does not answer: with a sentence. */
async function openModel(
  models: Models,
  { setup }: ModelRequest,
  signal: AbortSignal,
): Promise<Model> {
  const opened = await models.open(setup, signal)
  if (opened.ok) return opened.value
  return {
    setup,
    // oxlint-disable-next-line require-yield
    async *reply() {
      throw new ModelError(opened.error, { code: 'model_config' })
    },
  }
}

async function startShell(
  { generation, cwd }: Work & { type: 'start-shell' },
  context: PerformContext,
  { terminal }: PerformDeps,
): Promise<void> {
  const started = await terminal.start({ generation, cwd })
  if (started.ok) await context.report({ type: 'shell-started', ...started.value })
  else await context.report({ type: 'shell-failed', generation, message: started.error })
}

async function performAct(
  { call, act, hidden }: Work & { type: 'act' },
  { signal, report }: PerformContext,
  { terminal }: PerformDeps,
): Promise<void> {
  if (act.type === 'read') {
    const seen = await terminal.read({ ...act, hidden })
    return report({ type: 'act-done', call, refused: null, state: 'looked', output: seen })
  }
  if (act.type === 'resize') {
    const refused = await terminal.resize(act)
    return report({ type: 'act-done', call, refused, state: 'looked', output: nothing })
  }
  const sent = await terminal.send(act, { signal, hidden })
  return report({ type: 'act-done', call, ...sent })
}

/** A person's quick command is worth the wait; one that is being stopped ends within seconds. */
const patienceMs = { none: 0, some: 3_000, much: 8_000 } as const

async function awaitTerminal(
  { call, run, patience }: Work & { type: 'await-terminal' },
  { signal, report }: PerformContext,
): Promise<void> {
  // The effect vanishes, and this with it, when the terminal is free.
  const isOver = await delay(patienceMs[patience], true, { signal, ref: false }).catch(() => false)
  if (isOver) await report({ type: 'terminal-busy', call, run })
}

async function runCommand(
  { run, by, level }: Work & { type: 'run' },
  context: PerformContext,
  deps: PerformDeps,
): Promise<void> {
  if (run.lane === 'background') return runOneShot(run, context, deps)
  const { terminal } = deps
  const { run: id, command, private: isPrivate, timeoutMs, mark: stamp = null } = run
  const order = { id, command, by, private: isPrivate, timeoutMs, level, stamp }
  const watch = watchRun(run, context, deps)
  const end = context.isResumed
    ? await terminal.resume(order, watch)
    : await terminal.run(order, watch)
  await reportEnd({ type: 'run-ended', run: run.seq, ...end }, run, { context, deps })
  terminal.settle(run.run)
}

/** Its last output is told before its end, and is there until then for those who join. */
async function reportEnd(
  end: Report & { type: 'run-ended' },
  { request }: RunStart,
  { context, deps }: { context: PerformContext; deps: PerformDeps },
): Promise<void> {
  deps.live.flushOutput(request)
  await context.report(end)
  deps.live.forgetOutput(request)
}

/** Never resumed: it ended with the server that began it, and recovery has closed it. */
async function runOneShot(
  run: RunStart,
  context: PerformContext,
  deps: PerformDeps,
): Promise<void> {
  const { run: id, command, cwd, timeoutMs } = run
  const order = { id, command, cwd, timeoutMs }
  const { notEnded: _, ...end } = await deps.oneShots.run(order, watchRun(run, context, deps))
  await reportEnd({ type: 'run-ended', run: run.seq, ...end }, run, { context, deps })
}

function watchRun(
  run: RunStart,
  { signal, report }: PerformContext,
  { live, publish }: PerformDeps,
): RunWatch {
  const { request } = run
  let isFull = false
  return {
    signal,
    onOutput(text, skipped) {
      if (request !== null) live.addOutput(request, text, skipped)
    },
    onWaits(state, output) {
      void report({ type: 'run-waits', run: run.seq, state, output })
    },
    onTimeout(output) {
      void report({ type: 'run-timed-out', run: run.seq, afterMs: run.timeoutMs, output })
    },
    onRefused() {
      if (request !== null && !isFull)
        publish({ type: 'tool_update', request, status: 'disk_full' })
      isFull = true
    },
    onStatus(status, endsInMs) {
      if (request === null) return
      const left = endsInMs === undefined ? {} : { endsInMs: Math.round(endsInMs) }
      publish({ type: 'tool_update', request, status, ...left })
    },
  }
}
