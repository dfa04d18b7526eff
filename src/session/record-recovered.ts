import { isCommand } from '../log/open.ts'
import { noUsage, type SessionState } from '../log/state.ts'
import { answerCall } from './answer-call.ts'
import { type Append, system } from './append.ts'
import { openAsk } from './open-ask.ts'
import { recordReply } from './record-reply.ts'
import { recordRunEnded, unknownEnd } from './record-run.ts'
import type { Recovered } from './report.ts'

/**
 * A dead server left things open. Its reply is closed with the text that had come; what was allowed
 * but had not started is asked again, whoever wanted it; runs in the terminal stay open until
 * their holder says how they are. Nothing is ever run a second time.
 */
export function recordRecovered(append: Append, { draft }: Recovered): void {
  closeReply(append, draft)
  for (const run of append.state.runs)
    if (run.lane === 'background')
      recordRunEnded(append, { ...unknownEnd, run: run.seq, outcome: 'lost' })
  forgetInput(append)
  forgetCommands(append)
  askAgain(append)
}

function closeReply(append: Append, draft: Recovered['draft']): void {
  const { step } = append.state
  if (step?.phase !== 'asking') return
  recordReply(append, {
    type: 'reply-ended',
    step: step.seq,
    parts: draft?.step === step.seq ? [{ type: 'text', text: draft.text }] : [],
    stop: 'lost',
    usage: noUsage,
    witness: { prefixBytes: 0, ok: true },
    error: {
      code: 'server_restarted',
      message: 'The server ended while the model was replying. Send something to go on.',
      fatal: false,
      retryAfterMs: null,
    },
  })
}

/** It may have been typed already; typing it twice could answer another question. */
function forgetInput(append: Append): void {
  for (const call of append.state.calls)
    if (call.request.act !== undefined && call.at.phase !== 'asked')
      answerCall(append, call, { status: 'lost', line: 'the server ended; it may have been sent' })
}

/** Reading once more does no harm; anything else may have been done already. */
function forgetCommands(append: Append): void {
  for (const call of append.state.calls) {
    const { read, skill, meta, seq: request } = call.request
    if (!isCommand(call) || read || skill !== undefined) continue
    const content = 'The server ended meanwhile: it may have been done or not.'
    const answer = { type: 'tool_response', meta, request, status: 'lost', content } as const
    append.add({ ...answer, inContext: false }, system)
  }
}

function askAgain(append: Append): void {
  const { state } = append
  for (const { request, at } of state.calls) {
    if (at.phase !== 'allowed' || request.run === undefined) continue
    openAsk(append, {
      kind: 'approval',
      request: request.seq,
      command: at.command,
      reasons: ['the server was restarted before it could run'],
      cwd: cwdOf(state),
    })
  }
}

function cwdOf({ shell }: SessionState): string | null {
  return shell.phase === 'live' ? shell.cwd : null
}
