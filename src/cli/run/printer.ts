import { intentsOf } from '../../client/session/intents.ts'
import { refusalOf } from '../../client/wire/client-error.ts'
import type { Client } from '../../client/wire/connect.ts'
import type { ToolUpdate } from '../../protocol/stream/delta.ts'
import type { SessionId, RunId } from '../../protocol/events/seq.ts'
import { type Io, isInteractive, question } from '../io.ts'
import { readBytes } from '../../client/session/records.ts'
import { createPipeOutput } from './pipe-output.ts'

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
