import type { Client } from '../client/connect.ts'
import type { ToolUpdate } from '../protocol/delta.ts'
import { routes } from '../protocol/routes.ts'
import type { RunId, SessionId } from '../protocol/seq.ts'
import type { Io } from './io.ts'
import { createPlainOutput } from './plain-output.ts'

/** A command's output on our stdout, as it comes and every byte once. */
export interface RunPrinter {
  update(update: ToolUpdate): void
  /** Brings what a broken line left out, from the session's byte log. */
  finish(end: { run: RunId; bytes: number }): Promise<void>
}

export function createRunPrinter(io: Io, client: Client, session: SessionId): RunPrinter {
  const plain = createPlainOutput()
  let chars = 0
  let bytes = 0

  const print = (text: string) => {
    chars += text.length
    bytes += Buffer.byteLength(text)
    // A terminal gets what the program sent; a pipe is not helped by colours.
    io.out(io.isTerminal.stdout ? text : plain.write(text))
  }

  return {
    update({ output }) {
      // Beyond a gap nothing is printed: the order would be wrong, and the end brings it all.
      if (!output || output.offset > chars) return
      print(output.text.slice(chars - output.offset))
    },
    async finish({ run, bytes: printed }) {
      while (bytes < printed) {
        const page = await client.call(routes.runOutput, {
          params: { id: session, run },
          query: { from: bytes },
        })
        if (page.to <= bytes) break
        print(page.text)
        bytes = page.to
      }
      if (!io.isTerminal.stdout) io.out(plain.end())
    },
  }
}
