import { commandOf, isBound, isCommand } from '../../log/open.ts'
import { noUsage } from '../../log/state.ts'
import { answerCall, type Append, closeCall, fault } from '../append.ts'
import { openAsk } from '../asks.ts'
import { recordReply } from './reply.ts'
import type { Recovered } from './report.ts'
import { recordRunEnded, unknownEnd } from './run-end.ts'

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
    error: fault(
      'server_restarted',
      'The server ended while the model was replying. Send something to go on.',
    ),
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
    const { read, skill } = call.request
    if (!isCommand(call) || read || skill !== undefined) continue
    const content = 'The server ended meanwhile: it may have been done or not.'
    closeCall(append, call.request, { status: 'lost', content, inContext: false })
  }
}

function askAgain(append: Append): void {
  const { step, calls } = append.state
  // No yes outlives the server that got it: a model's command is judged anew, in the shell as it is found.
  const isYes = step?.yes !== undefined || calls.some((call) => call.yes || isBound(call))
  if (isYes) append.add({ type: 'session_update', revoked: 'reply' })
  const { shell } = append.state
  for (const call of append.state.calls) {
    const command = commandOf(call)
    if (call.at.phase !== 'allowed' || command === undefined) continue
    openAsk(append, {
      kind: 'approval',
      request: call.request.seq,
      command,
      reasons: ['the server was restarted before it could run'],
      cwd: shell.phase === 'live' ? shell.cwd : null,
    })
  }
}
