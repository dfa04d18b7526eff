import * as fc from 'fast-check'
import type { Delta } from '../../src/protocol/stream/delta.ts'
import type { Event } from '../../src/protocol/events/event.ts'
import { defaultSessionLimits } from '../../src/protocol/limits.ts'

/** What a stream brings, in order: durable events with live fragments between them. */
export type Item = { event: Event } | { delta: Delta }

type Body<E> = E extends Event ? Omit<E, 'v' | 'seq' | 'at' | 'by'> & { by?: Event['by'] } : never
export type EventBody = Body<Event>

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 }
const witness = { prefixBytes: 0, ok: true }

/** A log that is written as a session would: numbered without gaps, what starts is closed. */
export function createLog() {
  const items: Item[] = []
  let head = 0
  const add = (body: EventBody): number => {
    head += 1
    const stamp = {
      v: 1 as const,
      seq: head,
      at: 1_000 + head * 100,
      by: { kind: 'user' as const },
    }
    items.push({ event: { ...stamp, ...body } as Event })
    return head
  }
  const delta = (value: Delta) => void items.push({ delta: value })
  return {
    items,
    add,
    delta,
    events: (): Event[] => items.flatMap((item) => ('event' in item ? [item.event] : [])),
    start: (workspace = '/work') =>
      add({
        type: 'session_start',
        team: 'default',
        workspace,
        title: null,
        approval: 'guarded',
        limits: defaultSessionLimits,
      }),
    prompt: (text: string) =>
      add({
        type: 'message',
        role: 'user',
        parts: [{ type: 'text', text }],
        inContext: true,
        synthetic: false,
      }),
    turn: (trigger: number) => add({ type: 'agent_start', trigger, by: { kind: 'model' } }),
    endTurn: (turn: number, reason: 'done' | 'aborted' | 'failed' | 'step_limit' | 'declined') =>
      add({ type: 'agent_end', turn, reason, steps: 1, usage, by: { kind: 'model' } }),
    step: (turn: number, takes: number[] = []) =>
      add({
        type: 'step_start',
        turn,
        step: 1,
        takes,
        request: { bytes: 1, hash: 'x', added: [] },
      }),
    endStep: (start: number, hasMoreCommands = false) =>
      add({ type: 'step_end', start, hasMoreCommands, usage, witness }),
    reply: (step: number | null, text: string, stop: 'done' | 'aborted' = 'done') =>
      add({
        type: 'message',
        role: 'assistant',
        parts: [{ type: 'text', text }],
        step,
        stop,
        usage,
        witness,
        inContext: true,
        synthetic: false,
        by: { kind: 'model' },
      }),
    call: (command: string, step: number | null = null) =>
      add({
        type: 'tool_request',
        meta: { isClientInitiated: step === null },
        name: 'terminal_execute',
        args: command,
        index: 0,
        step,
        run: {
          command,
          lane: 'terminal',
          source: step === null ? 'bang' : 'model',
          timeoutMs: 30_000,
          private: false,
          thenTurn: false,
        },
      }),
    runStart: (request: number | null, command: string) =>
      add({
        type: 'run_start',
        run: runId(head + 1),
        request,
        command,
        source: request === null ? 'typed' : 'bang',
        lane: 'terminal',
        private: false,
        generation: 1,
        timeoutMs: 0,
        cwd: '/work',
      }),
    runEnd: (start: number, exitCode: number | null = 0, durationMs = 300) =>
      add({
        type: 'run_end',
        run: runId(start),
        start,
        outcome: 'ended',
        exitCode,
        signal: null,
        durationMs,
        bytes: 3,
        omitted: 0,
        cwdAfter: '/work',
        ptyFrom: 0,
        ptyTo: 3,
        content: null,
      }),
    respond: (request: number, status: 'done' | 'error' | 'denied' | 'waiting' | 'timeout') =>
      add({
        type: 'tool_response',
        meta: { isClientInitiated: true },
        request,
        status,
        content: `$ x\nout\n[${status}]`,
        inContext: true,
      }),
    ask: (request: number, command: string) =>
      add({
        type: 'elicitation_request',
        ask: askId(head + 1),
        kind: 'approval',
        request,
        command,
        effective: command,
        reasons: ['deletes files'],
        cwd: '/work',
        generation: 1,
        by: { kind: 'system' },
      }),
    answer: (request: number, outcome: 'allow' | 'deny') =>
      add({ type: 'elicitation_response', ask: askId(request), request, outcome }),
  }
}

export const runId = (seq: number) => `sh-00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`
export const askId = (seq: number) => `ask-00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`

type Log = ReturnType<typeof createLog>

/** A reply in fragments: some missing, some repeated, as a bad line would bring them. */
function stream(log: Log, step: number, text: string): void {
  for (let offset = 0; offset < text.length; offset += 3) {
    const piece = { attempt: 1 + (offset % 2), offset, text: text.slice(offset, offset + 4) }
    log.delta({ type: 'thinking_delta', step, ...piece, ...(offset % 4 === 0 && { ms: offset }) })
  }
  for (let offset = 0; offset < text.length; offset += 3)
    log.delta({ type: 'message_delta', step, offset, text: text.slice(offset, offset + 4) })
}

/** A command from its call to its end, with an answer before or after it. */
function run(log: Log, command: string, how: { step: number | null; kind: number }): void {
  const call = log.call(command, how.step)
  if (how.kind % 3 === 1) {
    const ask = log.ask(call, command)
    if (how.kind % 2 === 1) {
      log.answer(ask, 'deny')
      log.respond(call, 'denied')
      return
    }
    log.answer(ask, 'allow')
  }
  const start = log.runStart(call, command)
  for (let offset = 0; offset < command.length; offset += 2)
    log.delta({
      type: 'tool_update',
      request: call,
      output: { offset, text: command.slice(offset, offset + 3) },
    })
  if (how.kind % 4 === 3) log.respond(call, 'waiting')
  log.runEnd(start, how.kind % 2)
  if (how.kind % 4 !== 3) log.respond(call, how.kind % 2 === 0 ? 'done' : 'error')
}

function turn(log: Log, text: string, kind: number): void {
  const seq = log.turn(log.prompt(text))
  const queued = kind % 2 === 0 ? [log.add({ type: 'input_queued', text })] : []
  const step = log.step(seq, queued)
  stream(log, step, text)
  if (kind % 5 === 4) run(log, text, { step: null, kind: 0 })
  log.reply(step, text)
  if (kind % 3 === 0) run(log, text, { step, kind })
  log.endStep(step, kind % 3 === 0)
  log.endTurn(seq, kind % 4 === 1 ? 'failed' : 'done')
}

const doings: readonly ((log: Log, text: string, kind: number) => void)[] = [
  turn,
  (log, text, kind) => run(log, text, { step: null, kind }),
  (log, text) => void log.runEnd(log.runStart(null, text)),
  (log, text) => {
    const queued = log.add({ type: 'input_queued', text })
    log.add({ type: 'input_withdrawn', queued })
  },
  (log, text) =>
    void log.add({
      type: 'error',
      code: 'model_failed',
      message: text,
      fatal: false,
      retryAfterMs: null,
    }),
]

const modes = ['ask-all', 'guarded', 'trusted-session'] as const

const settings: typeof doings = [
  (log, _, kind) => void log.add({ type: 'session_update', approval: modes[kind % 3]! }),
  (log, _, kind) => void log.add({ type: 'session_update', private: kind % 2 === 0 }),
]

function logsOf(all: typeof doings): fc.Arbitrary<readonly Item[]> {
  return fc
    .array(fc.record({ doing: fc.nat(all.length - 1), text: fc.string(), kind: fc.nat(60) }), {
      maxLength: 12,
    })
    .map((steps) => {
      const log = createLog()
      log.start()
      for (const { doing, text, kind } of steps) all[doing]?.(log, text, kind)
      return log.items
    })
}

export const anyLog = logsOf(doings)

/** Settings are told only where they change, so a late start may tell them otherwise. */
export const anyLogWithSettings = logsOf([...doings, ...settings])
