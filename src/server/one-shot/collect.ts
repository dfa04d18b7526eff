import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { StreamRef } from '../../protocol/run.ts'
import type { Captured } from '../../session/clip.ts'
import { createCapture } from '../terminal/capture.ts'
import type { Spool } from './spool.ts'

/** One stream of a command, from its pipe to the file, to those who watch, and to the record. */
export interface Collected {
  /** Resolves at the stream's end, or when it was given up. */
  done: Promise<void>
  text(): Captured
  /** Waits no longer for whoever still holds the pipe. */
  giveUp(): void
  end(): Promise<StreamRef>
}

/** To be called in the same breath as the start: Node throws away what nobody reads at the exit. */
export function collect(
  stream: Readable,
  { spool, onText }: { spool: Spool; onText: (text: string) => void },
): Collected {
  const capture = createCapture()
  const decoder = new StringDecoder('utf8')

  function take(text: string): void {
    if (text === '') return
    capture.feed(text)
    onText(text)
  }

  /** The next part is read when this one is stored: a flood waits in the pipe, not in memory. */
  async function read(): Promise<void> {
    try {
      for await (const part of stream) {
        const bytes: Buffer = part
        await spool.write(bytes)
        take(decoder.write(bytes))
      }
    } catch {
      // Given up, or broken: what came is what there is.
    }
    take(decoder.end())
  }

  const done = read()
  return {
    done,
    text: () => capture.result(),
    giveUp: () => void stream.destroy(),
    async end() {
      await done
      return spool.end()
    },
  }
}
