import type { By } from '../protocol/by.ts'
import { limits } from '../protocol/limits.ts'
import { type RawCall, type ReplyPart, textOf } from '../protocol/message.ts'
import type { RunRequest } from '../protocol/run.ts'
import type { Seq } from '../protocol/seq.ts'
import { openCall } from '../log/open.ts'
import { endStep, endTurn } from './advance.ts'
import { answerCall } from './answer-call.ts'
import { type Append, system } from './append.ts'
import { type Asked, broken, toolOf } from './asked.ts'
import { badCommand } from './refuse.ts'
import type { ReplyEnded, ReplyError, ReplyRetried } from './report.ts'
import { shellTags } from './shell-tags.ts'
import { describeAct } from './terminal-act.ts'
import { askedBy } from './tools.ts'

/** Stores a reply byte for byte; only a whole one, in a turn that is still on, asks for anything. */
export function recordReply(append: Append, report: ReplyEnded): void {
  const { step, turn, epoch } = append.state
  if (step?.seq !== report.step || step.phase !== 'asking') return
  const model: By = { kind: 'model', name: epoch?.model ?? 'unknown' }
  // Whatever came after the turn was stopped is not done, so it is not answered either.
  const isWhole = report.stop === 'done' && turn !== null
  const parts = isWhole ? uniqueIds(report.parts) : cutParts(report.parts)
  append.add(
    {
      type: 'message',
      role: 'assistant',
      parts: [...parts],
      step: step.seq,
      stop: report.stop,
      usage: report.usage,
      witness: report.witness,
      // A blank reply is kept for people; providers refuse it in a history.
      inContext: textOf(parts).trim() !== '' || parts.some((part) => part.type === 'call'),
      synthetic: false,
    },
    model,
  )
  if (isWhole) addCalls(append, { step: step.seq, model }, parts)
  else cut(append, report)
}

/** The same request goes out again; people see why it takes so long. */
export function recordRetry(append: Append, { step, error }: ReplyRetried): void {
  if (append.state.step?.seq !== step || append.state.turn === null) return
  append.add({ type: 'error', ...error }, system)
}

/** What was cut off in the middle is not replayed: a call may lack arguments, a thought its signature. */
function cutParts(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  return parts.flatMap((part): ReplyPart[] => {
    if (part.type === 'call') return []
    return [{ type: part.type, text: part.text }]
  })
}

/** An answer names its call: of two with one id, the later gets another. */
function uniqueIds(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  const seen = new Set<string>()
  return parts.map((part) => {
    if (part.type !== 'call') return part
    let { id } = part
    for (let n = 2; seen.has(id); n++) id = `${part.id}_${n}`
    seen.add(id)
    return id === part.id ? part : { ...part, id }
  })
}

/** A cut reply runs nothing: its text stays, and the turn, if it was not stopped, has failed. */
function cut(append: Append, { stop, error }: ReplyEnded): void {
  const why = error ?? (stop === 'length' ? replyTooLong : null)
  if (why && append.state.turn) append.add({ type: 'error', ...why }, system)
  endStep(append)
  endTurn(append, error?.code === 'context_full' ? 'context_full' : 'failed')
}

const replyTooLong: ReplyError = {
  code: 'reply_length',
  message: 'The reply reached the model’s output limit, so nothing of it was run.',
  fatal: false,
  retryAfterMs: null,
}

interface Origin {
  step: Seq
  model: By
}

/** Both dialects at once never happens: a model with tools has none of its text taken for commands. */
function askedIn(
  append: Append,
  parts: readonly ReplyPart[],
): readonly { asked: Asked; call: RawCall | null }[] {
  if (append.state.epoch?.dialect !== 'tools')
    return withoutTooMany(shellTags(textOf(parts))).map((asked) => ({ asked, call: null }))
  return parts.flatMap((part) =>
    part.type === 'call' ? [{ asked: askedBy(part), call: part }] : [],
  )
}

const tooMany = `only the first ${limits.callsPerReply} commands of a reply are run`

/** A native call has to be answered; of tags those that are too many get one answer together. */
function withoutTooMany(asked: readonly Asked[]): readonly Asked[] {
  const more = asked.length - limits.callsPerReply
  if (more <= 0) return asked
  return [...asked.slice(0, limits.callsPerReply), broken(`${more} more`, tooMany)]
}

function addCalls(append: Append, origin: Origin, parts: readonly ReplyPart[]): void {
  askedIn(append, parts).forEach(({ asked, call }, index) => {
    const seq = append.add(
      {
        type: 'tool_request',
        meta: { isClientInitiated: false },
        name: call?.name ?? toolOf(asked),
        args: call?.args ?? argsOf(asked),
        index,
        step: origin.step,
        ...(call && { callId: call.id }),
        ...(asked.kind === 'command' && { run: runRequest(append, asked) }),
        ...(asked.kind === 'act' && { act: asked.act }),
        ...(asked.kind === 'skill' && { skill: asked.name }),
      },
      origin.model,
    )
    const why = whyNot(asked, index)
    const open = openCall(append.state, seq)
    if (why !== null && open) answerCall(append, open, { status: 'error', line: `not run: ${why}` })
  })
}

/** What stood in the tag. */
function argsOf(asked: Asked): string {
  if (asked.kind === 'command') return asked.command
  if (asked.kind === 'skill') return asked.name
  return asked.kind === 'broken' ? asked.text : describeAct(asked.act)
}

function whyNot(asked: Asked, index: number): string | null {
  if (asked.kind === 'broken') return asked.why
  if (index >= limits.callsPerReply) return tooMany
  return asked.kind === 'command' ? (badCommand(asked.command)?.message ?? null) : null
}

function runRequest(append: Append, asked: Asked & { kind: 'command' }): RunRequest {
  const { modelRunMs } = append.state.limits
  return {
    command: asked.command,
    lane: 'terminal',
    source: 'model',
    timeoutMs: asked.timeoutMs === null ? modelRunMs : boundedTime(asked.timeoutMs),
    private: false,
    thenTurn: false,
  }
}

/** 0 would be no limit at all, and that only a person can give. */
function boundedTime(askedMs: number): number {
  return askedMs === 0 ? limits.modelRunMaxMs : Math.min(askedMs, limits.modelRunMaxMs)
}
