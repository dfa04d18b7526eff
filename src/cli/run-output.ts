import type { Client } from '../client/connect.ts'
import type { ToolUpdate } from '../protocol/delta.ts'
import { routes } from '../protocol/routes.ts'
import type { RunId, SessionId } from '../protocol/seq.ts'
import type { Io } from './io.ts'
import { createPipeOutput } from './pipe-output.ts'

/** A command's output on our stdout, as it comes and every byte once. */
export interface RunPrinter {
  update(update: ToolUpdate): void
  /** Brings what a broken line left out, from the session's byte log. */
  finish(end: { run: RunId; bytes: number }): Promise<void>
}

/** Stands in live text for bytes that are none. */
const noText = '\ufffd'

export function createRunPrinter(io: Io, client: Client, session: SessionId): RunPrinter {
  const pipe = createPipeOutput()
  let chars = 0
  let bytes = 0
  let isExact = true

  /** A terminal gets what the terminal of the session got; a pipe, what the program wrote. */
  const print = (piece: Uint8Array) => io.out(io.isTerminal.stdout ? piece : pipe.write(piece))

  return {
    update({ output }) {
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
    async finish({ run, bytes: printed }) {
      while (bytes < printed) {
        const page = await client.bytes(routes.runBytes, {
          params: { id: session, run },
          query: { from: bytes },
        })
        if (page.to <= bytes) break
        print(page.bytes)
        bytes = page.to
      }
      if (!io.isTerminal.stdout) io.out(pipe.end())
    },
  }
}
