import { readLogParts, type Range } from '../byte-log/read-byte-log.ts'
import type { RunOutput, RunOutputOptions } from './output.ts'

/** The output of a run that is picked up again: what the byte log has of it comes first, and live output waits. */
export function catchUp(
  output: RunOutput,
  { folder, sync, range }: Pick<RunOutputOptions, 'folder' | 'sync'> & { range: Range },
): RunOutput {
  let waiting: { offset: number; bytes: Buffer }[] | null = []

  async function readMissed(): Promise<void> {
    await sync()
    for await (const { offset, bytes } of readLogParts(folder, range)) output.add(offset, bytes)
    const arrived = waiting ?? []
    waiting = null
    for (const { offset, bytes } of arrived) output.add(offset, bytes)
  }

  const caughtUp = readMissed()
  // The caller of `finish` is told if it failed.
  caughtUp.catch(() => undefined)
  return {
    ...output,
    add(offset, bytes) {
      if (waiting === null) output.add(offset, bytes)
      else waiting.push({ offset, bytes: Buffer.from(bytes) })
    },
    async finish(whole) {
      await caughtUp
      return output.finish(whole)
    },
  }
}
