import { intentsOf } from '../../client/session/intents.ts'
import { refusalOf } from '../../client/wire/client-error.ts'
import type { Client } from '../../client/wire/connect.ts'
import type { ToolUpdate } from '../../protocol/stream/delta.ts'
import type { SessionId, RunId, Head, Seq } from '../../protocol/events/seq.ts'
import { type Io, isInteractive, question } from '../io.ts'
import { readBytes } from '../../client/session/records.ts'
import { createPipeOutput } from './pipe-output.ts'
import { constants } from 'node:os'
import type { Event } from '../../protocol/events/event.ts'
import type { EventOf } from '../../view/fold/view.ts'
import { exitCode } from '../exit-code.ts'

/** Says when a silent command is about to be stopped, and lets a person at a terminal keep it. */
export function createKeepOffer(io: Io, client: Client, session: SessionId) {
  let offered = new AbortController()

  async function offer(warning: string, { signal }: AbortController): Promise<void> {
    const said = await question(`${warning} Press Enter to keep it running: `, signal)
    if (said === null || signal.aborted) return
    await intentsOf(client, session).keep()
  }

  return {
    update({ status, endsInMs = 0 }: ToolUpdate): void {
      if (status === undefined) return
      offered.abort()
      if (status !== 'ending') return
      const warning = `tandem: nothing is printed; it will be stopped in ${Math.ceil(endsInMs / 1_000)} s.`
      if (!isInteractive(io)) return io.note(warning)
      offered = new AbortController()
      offer(warning, offered).catch((error: unknown) => {
        // It ended by itself meanwhile.
        if (!refusalOf(error)) io.note('tandem: it could not be kept running.')
      })
    },
    close: () => offered.abort(),
  }
}

/** Stands in live text for bytes that are none. */
const noText = '\ufffd'

/** A command's output on our stdout, as it comes and every byte once. */
export function createRunPrinter(io: Io, client: Client, session: SessionId) {
  const pipe = createPipeOutput()
  let chars = 0
  let bytes = 0
  let isExact = true

  /** A terminal gets what the terminal of the session got; a pipe, what the program wrote. */
  const print = (piece: Uint8Array) => io.out(io.isTerminal.stdout ? piece : pipe.write(piece))

  return {
    update({ output }: ToolUpdate): void {
      // Beyond a gap nothing is printed: the order would be wrong, and the end brings it all.
      if (!isExact || !output || output.offset > chars) return
      const text = output.text.slice(chars - output.offset)
      // Nor beyond what is no text, unless only a person looks at it.
      const end = io.isTerminal.stdout ? -1 : text.indexOf(noText)
      isExact = end < 0
      const shown = Buffer.from(end < 0 ? text : text.slice(0, end))
      chars += text.length
      bytes += shown.length
      print(shown)
    },
    /** Brings what a broken line left out, from the session's byte log. */
    async finish({ run, bytes: printed }: { run: RunId; bytes: number }): Promise<void> {
      while (bytes < printed) {
        const page = await readBytes(client, { session, run, from: bytes })
        if (page.to <= bytes) break
        print(page.bytes)
        bytes = page.to
      }
      if (!io.isTerminal.stdout) io.out(pipe.end())
    },
  }
}

/** A command that was submitted, as one who waits for its end sees it. */
export interface RunProgress {
  /** The events that submitting it caused; our call is among them. */
  span: { first: Seq; head: Head }
  call: Seq | null
  start: EventOf<'run_start'> | null
  end: EventOf<'run_end'> | null
  answer: EventOf<'tool_response'> | null
  head: Head
}

export function beginRun(span: RunProgress['span']): RunProgress {
  return { span, call: null, start: null, end: null, answer: null, head: 0 }
}

export function advanceRun(progress: RunProgress, event: Event): RunProgress {
  return { ...progress, ...change(progress, event), head: event.seq }
}

function change({ span, call, start }: RunProgress, event: Event): Partial<RunProgress> {
  if (event.type === 'tool_request')
    return event.seq >= span.first && event.seq <= span.head ? { call: event.seq } : {}
  if (call === null) return {}
  // A run that never reached the shell may be tried again.
  if (event.type === 'run_start' && event.request === call) return { start: event, end: null }
  if (event.type === 'run_end' && event.start === start?.seq) return { end: event }
  if (event.type === 'tool_response' && event.request === call) return { answer: event }
  return {}
}

/** An answered call may still run: it waits for input, or is being stopped. */
export function isRunOver({ span, call, start, end, answer, head }: RunProgress): boolean {
  if (end && end.outcome !== 'not_started') return true
  if (answer && (!start || end)) return true
  return call === null && head >= span.head
}

/** The code the command itself would have ended with, had it run here. */
export function runExitCode({ end, answer }: RunProgress): number {
  if (answer?.status === 'timeout') return exitCode.timeout
  if (!end) return exitCode.error
  return end.exitCode ?? signalCode(end.signal) ?? exitCode.error
}

function signalCode(signal: string | null): number | null {
  const entry = Object.entries(constants.signals).find(([name]) => name === signal)
  return entry ? 128 + entry[1] : null
}

/** A word for the person when the exit code alone would not tell. */
export function runRemark({ call, end, answer }: RunProgress): string | null {
  if (call === null) return 'there was nothing to run.'
  if (end?.outcome === 'lost')
    return 'the shell was lost while the command ran; its end is unknown.'
  if (end?.outcome === 'shell_exited') return 'the shell ended.'
  if (answer?.status === 'timeout') return 'the command was silent for too long and was stopped.'
  if (!end || end.outcome === 'not_started') return `the command did not run (${answer?.status}).`
  return null
}
