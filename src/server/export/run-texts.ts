import { limits } from '../../protocol/limits.ts'
import type { RunOutput } from '../../protocol/http/session-view.ts'
import type { Page } from '../pages/output-pages.ts'
import type { Ran } from './items.ts'

/** A run's output, escape sequences and all. */
export interface RunTexts {
  /** Output in the shared terminal, which joins both streams. */
  output?: string
  stdout?: string
  stderr?: string
  /** Bytes that are not in it: too many for a document, or no longer kept. */
  omitted: number
}

export type ReadOutput = (run: string, page: Page) => Promise<RunOutput | null>

/** All outputs of a document together: more is no document any more but an archive. */
const documentBytes = 32 * 1024 * 1024

/** Reads the outputs of a session's runs one after another, until a document is full. */
export function createRunTexts(read: ReadOutput): (ran: Ran) => Promise<RunTexts> {
  let room = documentBytes

  async function part(run: string, { from, to }: { from: number; to: number }): Promise<Stretch> {
    const total = to - from
    const taken = Math.min(total, limits.shownBytes, room)
    room -= taken
    // A long one keeps its beginning and its end, as records do.
    const half = taken < total ? Math.floor(taken / 2) : 0
    const first = await stretch(read, run, { from, limit: taken - half })
    if (taken === total) return first
    const last = await stretch(read, run, { from: to - half, limit: half })
    const omitted = first.omitted + (total - taken) + last.omitted
    return { text: `${first.text}\n[… ${omitted} bytes …]\n${last.text}`, omitted }
  }

  return async ({ start, end, private: isPrivate }) => {
    if (start === null || end === null || isPrivate) return { omitted: 0 }
    const { run } = start
    const { stdout: first, ptyFrom, ptyTo } = end
    if (first === undefined) {
      const { text, omitted } = await part(run, { from: 0, to: (ptyTo ?? 0) - (ptyFrom ?? 0) })
      return { output: text, omitted }
    }
    const stdout = await part(run, { from: 0, to: first.bytes })
    const stderr = await part(run, { from: first.bytes, to: end.bytes })
    return { stdout: stdout.text, stderr: stderr.text, omitted: stdout.omitted + stderr.omitted }
  }
}

interface Stretch {
  text: string
  omitted: number
}

async function stretch(read: ReadOutput, run: string, page: Page): Promise<Stretch> {
  if (page.limit <= 0) return { text: '', omitted: 0 }
  const found = await read(run, page)
  return found === null
    ? { text: '', omitted: page.limit }
    : { text: found.text, omitted: found.missing }
}
