import type { By } from '../../protocol/events/event-base.ts'
import { type RawCall, type ReplyPart, textOf } from '../../protocol/events/message.ts'
import type { RunRequest } from '../../protocol/events/run.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { limits } from '../../protocol/limits.ts'
import { openCall } from '../../log/open.ts'
import { answerCall, type Append, badCommand, fault, system } from '../append.ts'
import { type Asked, broken, shellTags, toolOf } from '../calls/asked.ts'
import { withIds } from '../calls/call-id.ts'
import { describeAct } from '../calls/terminal-act.ts'
import { askedBy } from '../calls/tools.ts'
import { endStep, endTurn } from '../turn.ts'
import type { ReplyEnded, ReplyRetried, ReplyError } from './report.ts'

/** Stores a reply byte for byte; only a whole one, in a turn that is still on, asks for anything. */
export function recordReply(append: Append, report: ReplyEnded): void {
  const { step, turn, epoch } = append.state
  if (step?.seq !== report.step || step.phase !== 'asking') return
  const model: By = { kind: 'model', name: epoch?.model ?? 'unknown' }
  // Calls that came after the turn was stopped are not done, so they are not answered either.
  const isWhole = report.stop === 'done' && turn !== null
  const parts = isWhole ? withIds(report.parts, step.seq) : cutParts(report.parts)
  append.add({
    type: 'message',
    by: model,
    role: 'assistant',
    parts: [...parts],
    step: step.seq,
    stop: report.stop,
    usage: report.usage,
    ...(report.retried && { retried: report.retried }),
    ...(report.thoughtMs !== undefined && { thoughtMs: report.thoughtMs }),
    witness: report.witness,
    // A blank reply is kept for people; providers refuse it in a history.
    inContext: textOf(parts).trim() !== '' || parts.some((part) => part.type === 'call'),
    synthetic: false,
  })
  if (isWhole) addCalls(append, { step: step.seq, model }, parts)
  else cut(append, report)
}

/** The same request goes out again; people see why it takes so long. */
export function recordRetry(append: Append, { step, error }: ReplyRetried): void {
  if (append.state.step?.seq !== step || append.state.turn === null) return
  append.add({ type: 'error', by: system, ...error })
}

/** A part that was cut off is not replayed: a call may lack arguments, a thought its signature. */
function cutParts(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  return parts.flatMap((part): ReplyPart[] =>
    part.type === 'call' ? [] : [{ type: part.type, text: part.text }],
  )
}

/** A cut reply runs nothing: its text stays, and the turn, if it was not stopped, has failed. */
function cut(append: Append, { stop, error }: ReplyEnded): void {
  const why = error ?? (stop === 'length' ? replyTooLong : null)
  if (why && append.state.turn) append.add({ type: 'error', by: system, ...withAdvice(why) })
  endStep(append)
  endTurn(append, error?.code === 'context_full' ? 'context_full' : 'failed')
}

const replyTooLong = fault(
  'reply_length',
  'The reply reached the model’s output limit, so nothing of it was run.',
)

interface Origin {
  step: Seq
  model: By
}

/** Both dialects at once never happens: a model with tools has none of its text taken for commands. */
function askedIn(
  append: Append,
  parts: readonly ReplyPart[],
): readonly { asked: Asked; call: RawCall | null }[] {
  const calls = parts.filter((part) => part.type === 'call')
  if (append.state.epoch?.dialect === 'tools')
    return calls.map((call) => ({ asked: askedBy(call), call }))
  const tags = shellTags(textOf(parts))
  const asked = tags.length > 0 ? tags : calls.map(withoutTools)
  return withoutTooMany(asked).map((one) => ({ asked: one, call: null }))
}

/** Some models call what they were never offered; an answer in their own terms gets them going. */
function withoutTools(call: RawCall): Asked {
  const asked = askedBy(call)
  const text = asked.kind === 'command' ? asked.command : `${call.name} ${call.args}`
  return broken(
    text,
    'this session has no tools; write the command into your text: <shell>ls</shell>',
  )
}

const tooMany = `only the first ${limits.callsPerReply} commands of a reply are run`

/** Native calls are answered one by one; tags beyond the limit get one answer together. */
function withoutTooMany(asked: readonly Asked[]): readonly Asked[] {
  const more = asked.length - limits.callsPerReply
  if (more <= 0) return asked
  return [...asked.slice(0, limits.callsPerReply), broken(`${more} more`, tooMany)]
}

function addCalls(append: Append, origin: Origin, parts: readonly ReplyPart[]): void {
  askedIn(append, parts).forEach(({ asked, call }, index) => {
    const seq = append.add({
      type: 'tool_request',
      by: origin.model,
      meta: { isClientInitiated: false },
      name: call?.name ?? toolOf(asked),
      args: call?.args ?? argsOf(asked),
      index,
      step: origin.step,
      ...(call && { callId: call.id }),
      ...(asked.kind === 'command' && { run: runRequest(append, asked) }),
      ...(asked.kind === 'act' && { act: asked.act }),
      ...(asked.kind === 'skill' && { skill: asked.name }),
    })
    const why = whyNot(asked, index)
    const open = openCall(append.state, seq)
    if (why !== null && open) answerCall(append, open, { status: 'error', line: `not run: ${why}` })
  })
}

/** The text of the tag. */
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

/** Advice about a failure that is over: one that may pass has been tried again already. */
const advice: ReadonlyMap<string, string> = new Map([
  ['model_auth', 'Is the key right?'],
  ['model_config', 'tandem models lists what there is, and /model switches.'],
  ['model_overloaded', 'Wait a while and send it again, or switch with /model.'],
  ['model_failed', 'Send it again, or switch with /model.'],
  ['model_cut', 'Say “go on”, or send it again.'],
  ['model_refused', 'Put it in other words, or switch with /model.'],
  ['context_full', 'Make room with /compact, or begin a new session.'],
])

/** A sentence that asks something, or names what to set or do, is left as it is. */
const isAdvice = /\?$|\b(set|setting|write|add|give|name|begin|compact)\b[^.]*\.?$|: \/model \S+$/i

/** The error of a turn that has failed, with what to do about it. */
export function withAdvice(error: ReplyError): ReplyError {
  const { code, message } = error
  const next = advice.get(code)
  if (next === undefined || isAdvice.test(message)) return error
  const end = /[.!?…]$/.test(message) ? '' : '.'
  return { ...error, message: `${message}${end} ${next}` }
}
