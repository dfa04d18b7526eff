import { assertNever } from '../protocol/assert-never.ts'
import type { By } from '../protocol/by.ts'
import { limits } from '../protocol/limits.ts'
import type { RunRequest } from '../protocol/run.ts'
import type { Seq } from '../protocol/seq.ts'
import { openCall } from '../log/open.ts'
import { endStep, endTurn } from './advance.ts'
import { answerCall } from './answer-call.ts'
import { type Append, system } from './append.ts'
import { inputArgs } from './terminal-input.ts'
import type { ReplyEnded, ReplyError } from './report.ts'
import { shellTags, type TagCall } from './shell-tags.ts'

/** Stores a reply byte for byte; only a whole one, in a turn that is still on, asks for anything. */
export function recordReply(append: Append, report: ReplyEnded): void {
  const { step, turn, epoch } = append.state
  if (step?.seq !== report.step || step.phase !== 'asking') return
  const model: By = { kind: 'model', name: epoch?.model ?? 'unknown' }
  append.add(
    {
      type: 'message',
      role: 'assistant',
      parts: [{ type: 'text', text: report.text }],
      step: step.seq,
      stop: report.stop,
      calls: report.stop === 'done' ? [...report.calls] : [],
      usage: report.usage,
      witness: report.witness,
      // A blank reply is kept for people; providers refuse it in a history.
      inContext: report.text.trim() !== '',
      synthetic: false,
    },
    model,
  )
  if (report.stop === 'done' && turn !== null) addCalls(append, { step: step.seq, model }, report)
  else cut(append, report)
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

function addCalls(append: Append, origin: Origin, { text }: ReplyEnded): void {
  shellTags(text).forEach((tag, index) => {
    const call = append.add(
      {
        type: 'tool_request',
        meta: { isClientInitiated: false },
        ...asked(tag),
        index,
        step: origin.step,
        ...(tag.kind === 'command' && { run: runRequest(append, tag) }),
      },
      origin.model,
    )
    const why = whyNot(tag, index)
    const open = openCall(append.state, call)
    if (why !== null && open) answerCall(append, open, { status: 'error', line: `not run: ${why}` })
  })
}

/** The tool a tag stands for, under its name in the tools dialect, and what it was given. */
function asked(tag: TagCall): { name: string; args: string } {
  switch (tag.kind) {
    case 'command':
      return { name: 'terminal_execute', args: tag.command }
    case 'broken':
      return { name: 'terminal_execute', args: tag.text }
    case 'input':
      return { name: 'terminal_write', args: inputArgs(tag) }
    case 'interrupt':
      return { name: 'terminal_interrupt', args: '' }
    default:
      return assertNever(tag)
  }
}

function whyNot(tag: TagCall, index: number): string | null {
  if (tag.kind === 'broken') return tag.why
  if (tag.kind === 'command' && tag.command.includes('\0'))
    return 'a command cannot contain a NUL character'
  if (index >= limits.callsPerReply)
    return `only the first ${limits.callsPerReply} commands of a reply are run`
  return null
}

function runRequest(append: Append, tag: TagCall & { kind: 'command' }): RunRequest {
  const timeoutMs = tag.timeoutMs ?? append.state.limits.modelRunMs
  return {
    command: tag.command,
    lane: 'terminal',
    source: 'model',
    timeoutMs: Math.min(timeoutMs, limits.modelRunMaxMs),
    private: false,
    thenTurn: false,
  }
}
