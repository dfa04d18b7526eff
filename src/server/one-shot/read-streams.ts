import { join } from 'node:path'
import type { RunEnd, StreamRef } from '../../protocol/run.ts'
import { withoutCutEnd, withoutCutStart } from '../whole-characters.ts'
import { readSpool } from './spool.ts'

export interface StreamTexts {
  stdout: string
  stderr: string
}

const none: StreamRef = { bytes: 0, omitted: 0 }

/**
 * What a run printed, at most `cap` bytes in all, notices included. Each stream may have half, and
 * what the other leaves over. `folder` is the run’s own.
 */
export async function readStreams(
  folder: string,
  { stdout = none, stderr = none }: Pick<RunEnd, 'stdout' | 'stderr'>,
  cap: number,
): Promise<StreamTexts> {
  const half = Math.floor(cap / 2)
  const room = (other: StreamRef) => cap - Math.min(other.bytes, half)
  return {
    stdout: await readStream(join(folder, 'stdout'), stdout.bytes, room(stderr)),
    stderr: await readStream(join(folder, 'stderr'), stderr.bytes, room(stdout)),
  }
}

function notice(bytes: number): string {
  return `\n[… ${bytes} bytes left out …]\n`
}

/** The longest there can be. */
const noticeBytes = Buffer.byteLength(notice(Number.MAX_SAFE_INTEGER))

/** Beginning and end of a stream; in between, exactly how many bytes are not shown. */
async function readStream(path: string, total: number, room: number): Promise<string> {
  if (total <= room) {
    const bytes = await readSpool(path, { from: 0, to: total, total })
    const lost = total - bytes.length
    return fit(bytes, room) + (lost === 0 ? '' : notice(lost))
  }
  const each = Math.floor((room - noticeBytes) / 2)
  const head = withoutCutEnd(await readSpool(path, { from: 0, to: each, total }))
  const tail = withoutCutStart(await readSpool(path, { from: total - each, to: total, total }))
  const left = total - head.length - tail.length
  return fit(head, head.length) + notice(left) + fit(tail, tail.length)
}

/** A byte that is no text becomes three; where those are too many, one. */
function fit(bytes: Buffer, room: number): string {
  const text = bytes.toString('utf8')
  return Buffer.byteLength(text) > room ? text.replaceAll('\ufffd', '?') : text
}
