import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { whole } from '../../../src/base/text.ts'
import { evolve } from '../../../src/log/evolve.ts'
import { initialState, noUsage, type SessionState } from '../../../src/log/state.ts'
import type { AskScope } from '../../../src/protocol/events/ask.ts'
import type { Event } from '../../../src/protocol/events/event.ts'
import type { Rule } from '../../../src/protocol/events/rule.ts'
import type { ShellReport } from '../../../src/protocol/events/shell.ts'
import type { ApprovalMode } from '../../../src/protocol/events/approval-mode.ts'
import type { Intent } from '../../../src/protocol/http/intent.ts'
import { defaultSessionLimits } from '../../../src/protocol/limits.ts'
import { judgeCall } from '../../../src/server/policy/judge-call.ts'
import { createSessionTasks } from '../../../src/server/policy/session-tasks.ts'
import { loadSession } from '../../../src/server/session/recover.ts'
import type { Work } from '../../../src/server/session/perform.ts'
import { keepRules } from '../../../src/server/session/session-parts.ts'
import { createMemoryStore } from '../../../src/server/store/memory.ts'
import { openAppend } from '../../../src/session/append.ts'
import { emptyWorld } from '../../../src/session/catalogue.ts'
import type { LiveState } from '../../../src/session/policy/live/live-state.ts'
import type { Judged, Report } from '../../../src/session/record/report.ts'
import { createSignal } from '../../support/signal.ts'
import { catalogueOf, countedTime } from '../../support/simulate.ts'
import {
  openSimulatedHost,
  type SimulatedHost,
  type UnderWay,
} from '../../support/simulated-host.ts'
import { createPlantedHolder, type PlantedHolder } from './planted-holder.ts'
import { createPlantedServer, type PlantedServer, type RunOver } from './planted-server.ts'
import {
  contentOf,
  createPlantedShell,
  type Executed,
  type PlantedShell,
  workspace,
} from './planted-shell.ts'

/** One thing that happens: somebody does something, or something is carried on by one link. */
export type RaceStep =
  | { type: 'prompt' }
  | { type: 'reply'; text: string }
  /** A person types a line straight into the terminal, or presses Ctrl+C. */
  | { type: 'keys'; text: string }
  | { type: 'run'; text: string }
  | {
      type: 'answer'
      pick: number
      outcome: 'allow' | 'deny'
      client: string
      command?: string
      scope?: AskScope
    }
  /** The oldest rule of the session, or of the folder, is taken back. */
  | { type: 'revoke'; of: 'session' | 'folder' }
  | { type: 'abort' }
  | { type: 'withdraw'; pick: number }
  | { type: 'mode'; approval: ApprovalMode }
  /** The picked link carries so many. */
  | { type: 'carry'; link: number; times: number }
  | { type: 'wait' }
  /** Everything on its way arrives. */
  | { type: 'settle' }
  | { type: 'adopt' }
  | { type: 'restart' }
  | { type: 'kill-shell' }
  | { type: 'crash'; holderLives: boolean }
  /** A client that lost its connection sends its last line again, under the same key. */
  | { type: 'repeat' }

/** A judgement, with the truth that it was made from. */
export interface JudgedTruth {
  call: number
  command: string
  approval: ApprovalMode
  /** The shell as the judgement had it before its eyes, at each time that it was asked. */
  pulled: string[]
  report: Judged | null
}

/** Everything that the checker may look at. */
export interface RaceTruth {
  log: readonly { event: Event; at: number; state: string | null }[]
  executed: readonly Executed[]
  judged: readonly JudgedTruth[]
  /** Answers as people gave them, of those that were taken. */
  said: readonly { ask: string; outcome: 'allow' | 'deny' }[]
  /** Rules of the folder that were taken back, of which no log tells. */
  revoked: readonly { id: string; at: number }[]
  /** The truth about the shell of a generation at one of its marks. */
  stateAt(generation: number, mark: number): string | undefined
}

const id = '00000000-0000-7000-8000-0000000000bb'
const asWorld = { ...emptyWorld, trusted: true, home: '/root' }

interface Living {
  shell: PlantedShell
  holder: PlantedHolder
  server: PlantedServer
}

/**
 * A session whose writer, fold, effects, judgements, terminal fold and injection are the product's own, and whose shell,
 * model, people and wires are planted. Nothing moves but by a step: each wire carries one message when it is told to.
 */
export async function openRaceWorld() {
  const store = createMemoryStore()
  const time = countedTime()
  const log: { event: Event; at: number; state: string | null }[] = []
  const executed: Executed[] = []
  const judged: JudgedTruth[] = []
  const said: { ask: string; outcome: 'allow' | 'deny' }[] = []
  let kept: readonly Rule[] = []
  const revoked: { id: string; at: number }[] = []
  const holders = new Map<number, PlantedHolder>()
  /** Reports that effects have ready, each on its own way. */
  let findings: { deliver(): Promise<unknown> }[] = []
  let seen = new Set<UnderWay>()
  let stopped = new Set<string>()
  let pending = 0
  let thinking = 0
  let ticks = 0
  let life: Living | null = null
  let lastSubmit: Intent | null = null
  const tick = () => ++ticks
  const isThinking = () => thinking > pending
  const thought = createSignal()

  const first = openAppend(initialState, { ...envelope(), by: { kind: 'user' }, body: null })
  const limits = { ...defaultSessionLimits, stepsPerTurn: 6 }
  const start = { type: 'session_start', team: 'default', workspace, title: null } as const
  first.add({ ...start, approval: 'guarded', limits })
  await store.append(id, 0, { events: first.events })
  note(first.events)
  let host = open(first.events.reduce(evolve, initialState))

  function envelope() {
    return { at: time.clock(), uuid: time.uuid() }
  }

  function note(events: readonly Event[]): void {
    for (const event of events)
      log.push({ event, at: tick(), state: life?.shell.stateNow() ?? null })
  }

  function open(from: SessionState): SimulatedHost {
    return openSimulatedHost({
      ...time,
      id,
      store,
      state: from,
      judgesLate: true,
      catalogue: ({ model }) => ({
        ...catalogueOf('tags', model),
        mark: life?.server.stamp() ?? null,
        hasRule: (rule) => kept.some((each) => each.id === rule),
      }),
      onStored(events) {
        note(events)
        keepRules({ keep: (rule) => void (kept = [...kept, rule]) }, events, unkept)
      },
      onReport: () => undefined,
    })
  }

  function boot(generation: number, cwd: string): void {
    const holder = createPlantedHolder(generation)
    const shell = createPlantedShell({
      generation,
      cwd,
      tick,
      readFile: holder.readFile,
      onExecuted: (each) => executed.push(each),
    })
    holder.holds(shell)
    holders.set(generation, holder)
    // Marks of its first prompt.
    while (shell.said.length > 0) holder.hearShell()
    life = { shell, holder, server: createPlantedServer(holder) }
    while (holder.outbox.length > 0) life.server.hearHolder()
    life.server.reports.splice(0)
  }

  /** Starts what has become due, and stops what is not wanted any more. */
  function tend(): void {
    for (const begun of host.underWay()) {
      const { work } = begun
      const isNew = !seen.has(begun)
      seen.add(begun)
      if (isNew && work.type === 'judge') void judge(begun, work)
      if (isNew && work.type === 'run') void run(begun, work)
      if (isNew && work.type === 'start-shell') startShell(begun, work)
      if (work.type === 'run' && begun.isVanished() && !stopped.has(work.key)) {
        stopped.add(work.key)
        life?.server.stop(work.run.run)
      }
    }
  }

  function startShell(begun: UnderWay, { generation, cwd }: Work & { type: 'start-shell' }): void {
    const deliver = async () => {
      boot(generation, cwd)
      const pid = life?.shell.pid ?? 0
      const started = { shell: 'bash', integration: 'full', pid, cwd } as const
      await begun.end({ type: 'shell-started', generation, ...started })
    }
    findings.push({ deliver })
  }

  /** Waits for a message, during which nobody thinks. */
  async function hanging<T>(message: T | Promise<T>): Promise<T> {
    pending += 1
    thought.fire()
    const answer = await message
    pending -= 1
    return answer
  }

  async function judge(begun: UnderWay, work: Work & { type: 'judge' }): Promise<void> {
    const { approval } = host.writer.state()
    const truth: JudgedTruth = {
      call: work.call.seq,
      command: work.command,
      approval,
      pulled: [],
      report: null,
    }
    judged.push(truth)
    const mine = host
    const { server } = life ?? {}
    thinking += 1
    const report = await judgeCall(work, {
      state: () => mine.writer.state(),
      world: async () => asWorld,
      oneShotShell: async () => null,
      folderRules: (folder) => kept.filter((rule) => rule.folder === folder),
      tasks: createSessionTasks(join(tmpdir(), 'no-such-session')),
      async liveState(names) {
        const answer = await hanging(server?.liveState(names) ?? null)
        if (answer !== null) truth.pulled.push(shownBy(answer.state))
        return answer
      },
      stamp: () => server?.stamp() ?? null,
      cwd: () => server?.cwd() ?? null,
      reported: () => hanging(server?.reported()),
    })
    thinking -= 1
    thought.fire()
    truth.report = report
    findings.push({ deliver: () => begun.end(report) })
  }

  async function run(begun: UnderWay, { run, by, level }: Work & { type: 'run' }): Promise<void> {
    const server = life?.server
    const order = {
      id: run.run,
      command: run.command,
      by,
      isPrivate: run.private,
      timeoutMs: 0,
      stamp: run.mark ?? null,
    }
    // As the edge of the terminal does: it is over with the shell that it was ordered for.
    if (level > (server?.level() ?? level)) await server?.reported()
    if (begun.isVanished()) return begun.end(ending(run.seq, undefined))
    const over = await server?.order(order, begun.isResumed)
    await begun.end(ending(run.seq, over))
    server?.settle(run.run)
  }

  const intend = (intent: Intent, client = 'one') =>
    host.writer.handle(intent, { kind: 'user', client })

  /** The wires, each with the number of messages on it. */
  function links(): readonly { count: number; carry(): unknown }[] {
    const { shell, holder, server } = life ?? {}
    return [
      {
        count: shell?.isBusy() ? 1 : 0,
        carry: () => shell?.step(),
      },
      {
        count: (shell?.said.length ?? 0) + (shell?.isOver() && !holder?.hasExited() ? 1 : 0),
        carry: () => holder?.hearShell(),
      },
      { count: holder?.outbox.length ?? 0, carry: () => server?.hearHolder() },
      { count: server?.requests.length ?? 0, carry: () => server?.send() },
      { count: server?.reports.length ?? 0, carry: tellReport },
      { count: findings.length, carry: () => findings.shift()?.deliver() },
      { count: findings.length, carry: () => findings.pop()?.deliver() },
    ]
  }

  async function tellReport(): Promise<void> {
    const { server, holder } = life ?? {}
    const next = server?.next()
    if (next === undefined || holder === undefined) return
    // Whoever waited for the end of a run has reported it before the next is told.
    if (next.type === 'over') {
      next.tell()
      await turn()
    } else await tellSession(next.report, holder.generation)
    server?.onTold()
  }

  async function tellSession(report: ShellReport, generation: number): Promise<void> {
    if (report.type === 'typed-ended') {
      const { seq, level, ...ended } = report
      await host.writer.report({ ...ended, generation, omitted: 0 })
      life?.server.acknowledge(seq - 1, level)
    } else await host.writer.report({ ...report, generation })
  }

  async function carry(link: number, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const open = links().filter((each) => each.count > 0)
      const picked = open[link % Math.max(1, open.length)]
      if (picked === undefined) return
      await picked.carry()
      await still()
    }
  }

  /** Everything that can happen without a message has happened. */
  async function still(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      tend()
      await turn()
      await thought.until(() => !isThinking())
    }
  }

  async function crash(holderLives: boolean): Promise<void> {
    await host.die()
    findings = []
    seen = new Set()
    stopped = new Set()
    thinking = pending = 0
    const stored = await loadSession(store, id)
    if (stored === null) throw new Error('the store has lost the session')
    if (!holderLives) life?.shell.kill()
    host = open(stored)
    const isHeld =
      holderLives && life !== null && stored.shell.generation === life.holder.generation
    if (life !== null && isHeld) {
      life.holder.disconnect()
      life = { ...life, server: createPlantedServer(life.holder) }
    } else life = null
    await host.recover(isHeld)
  }

  /** Everything on its way arrives, in the order of the wires; or only what goes between shell and terminal. */
  async function settle(where: 'everywhere' | 'terminal' = 'everywhere'): Promise<void> {
    const wires = () => (where === 'terminal' ? links().slice(0, 4) : links())
    for (let round = 0; round < 400; round += 1) {
      const next = wires().find(({ count }) => count > 0)
      if (next === undefined) return
      await next.carry()
      await still()
    }
  }

  async function step(next: RaceStep): Promise<void> {
    await take(next)
    await still()
  }

  async function take(next: RaceStep): Promise<unknown> {
    const state = host.writer.state()
    switch (next.type) {
      case 'prompt':
        return submit('go on', 'text')
      case 'run':
        return submit(next.text, 'run')
      case 'repeat':
        return lastSubmit && intend(lastSubmit, 'two')
      case 'reply':
        return reply(next.text)
      case 'keys':
        return life?.server.type(next.text === '\x03' ? next.text : `${next.text}\r`)
      case 'answer': {
        // A client may answer a question that is long closed.
        const asks = log.flatMap(({ event }) =>
          event.type === 'elicitation_request' ? [event] : [],
        )
        const ask = asks.at(-1 - (next.pick % 2))
        if (ask === undefined) return undefined
        const { outcome, command, client, scope } = next
        const edited = command !== undefined && outcome === 'allow' && { command }
        const wide = scope !== undefined && outcome === 'allow' && !edited && { scope }
        const intent = { type: 'answer', ask: ask.ask, outcome, ...edited, ...wide } as const
        const taken = await intend(intent, client)
        if (taken.ok) said.push({ ask: ask.ask, outcome })
        return undefined
      }
      case 'abort':
        return intend({ type: 'abort' })
      case 'withdraw':
        return intend({ type: 'withdraw', seq: state.calls.at(next.pick % 3)?.request.seq ?? 1 })
      case 'revoke': {
        const [rule] = next.of === 'session' ? state.rules : kept
        if (rule === undefined) return undefined
        if (next.of === 'session') return intend({ type: 'update', revoke: rule.id }, 'two')
        kept = kept.filter((each) => each !== rule)
        return revoked.push({ id: rule.id, at: tick() })
      }
      case 'mode':
        return intend({ type: 'update', approval: next.approval }, 'two')
      case 'carry':
        return carry(next.link, next.times)
      case 'settle':
        return settle()
      case 'wait':
        return life?.holder.wait()
      case 'adopt':
        return life?.server.adopt()
      case 'restart':
        return life?.server.restart()
      case 'kill-shell':
        return life?.shell.kill()
      case 'crash':
        return crash(next.holderLives)
    }
  }

  function submit(text: string, as: 'run' | 'text') {
    lastSubmit = { type: 'submit', text, as, key: `key-${tick()}` }
    return intend(lastSubmit)
  }

  async function reply(text: string): Promise<void> {
    const begun = host.underWay().find((each) => each.work.type === 'call-model')
    if (begun?.work.type !== 'call-model') return
    const { step: of } = begun.work
    const parts = [{ type: 'text', text }] as const
    const witness = { prefixBytes: 0, ok: true }
    const stop = begun.isVanished() ? 'aborted' : 'done'
    await begun.end({ type: 'reply-ended', step: of, parts, stop, usage: noUsage, witness })
  }

  const truth: RaceTruth = {
    log,
    executed,
    judged,
    said,
    revoked,
    stateAt: (generation, mark) => holders.get(generation)?.states.get(mark),
  }
  return {
    truth,
    step,
    state: () => host.writer.state(),
    settle,
  }
}

export type RaceWorld = Awaited<ReturnType<typeof openRaceWorld>>

function unkept(message: string, error: unknown): never {
  throw new Error(message, { cause: error })
}

function shownBy({ cwd, aliases, functions, variables }: LiveState): string {
  const exports = new Map([...variables].map(([name, { value }]) => [name, value]))
  return contentOf({ cwd, aliases, functions, exports })
}

function ending(run: number, over: RunOver | undefined): Report & { type: 'run-ended' } {
  const none = { signal: null, durationMs: 1, bytes: 0, omitted: 0, ptyFrom: 0, ptyTo: 0 }
  const base = { type: 'run-ended', run, ...none, exitCode: null, output: whole('') } as const
  if (over === undefined) return { ...base, outcome: 'not_started', cwdAfter: null }
  const { verdict, cwd } = over
  switch (verdict.type) {
    case 'executed':
    case 'unexecuted':
      return { ...base, outcome: 'ended', exitCode: 0, cwdAfter: cwd }
    case 'with-shell':
      return { ...base, outcome: 'shell_exited', cwdAfter: null }
    case 'lost':
      return { ...base, outcome: 'lost', cwdAfter: null }
    case 'unstarted':
      return verdict.isMoved
        ? { ...base, outcome: 'not_started', moved: true, cwdAfter: cwd }
        : { ...base, outcome: 'not_started', cwdAfter: null }
  }
}
