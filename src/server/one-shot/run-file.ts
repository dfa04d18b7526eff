import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readSmallText } from '../../skill/read-file.ts'
import { bootId, readProcess } from './process-table.ts'
import { endProcesses } from './run-processes.ts'
import type { RunEnd, StreamRef } from '../../protocol/events/run.ts'
import { withoutCutEnd, withoutCutStart } from '../pages/whole-characters.ts'
import { readSpool } from './spool.ts'

/** `process.json` in a run's folder while it runs: how a later server finds what a dead one left. */
const RunFile = z.object({
  bootId: z.string(),
  mark: z.string(),
  /** Null until it is started. */
  leader: z.object({ pid: z.number().int().positive(), startTime: z.number() }).nullable(),
})
type RunFile = z.infer<typeof RunFile>

const fileName = 'process.json'
/** Three short fields. */
const mostBytes = 64 * 1024

export async function writeRunFile(folder: string, run: Omit<RunFile, 'bootId'>): Promise<void> {
  const path = join(folder, fileName)
  const file: RunFile = { bootId: bootId(), ...run }
  await rm(`${path}.new`, { recursive: true, force: true })
  await writeFile(`${path}.new`, JSON.stringify(file), { mode: 0o600, flag: 'wx' })
  await rename(`${path}.new`, path)
}

export async function removeRunFile(folder: string): Promise<void> {
  // A file that stays names processes that are gone; the next start finds that out.
  await rm(join(folder, fileName), { force: true }).catch(() => undefined)
}

/**
 * Ends what the runs of a dead server left. Resolves with the pids that could not be ended. A group
 * is signalled only while its leader is proven by its start time; else the mark has to prove each.
 */
export async function endLeftovers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => [])
  const left = await Promise.all(names.map((name) => endLeftover(join(folder, name))))
  return left.flat()
}

async function endLeftover(folder: string): Promise<readonly number[]> {
  const text = await readSmallText(join(folder, fileName), mostBytes)
  if (!text.ok) return []
  const file = RunFile.safeParse(parse(text.value))
  const left = file.success && file.data.bootId === bootId() ? await endAll(file.data) : []
  if (left.length === 0) await removeRunFile(folder)
  return left
}

function endAll({ leader, mark }: RunFile): Promise<readonly number[]> {
  const isLeader = leader !== null && readProcess(leader.pid)?.startTime === leader.startTime
  return endProcesses({
    leader: isLeader ? leader.pid : null,
    startTime: leader?.startTime ?? 0,
    mark,
    cgroup: null,
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const none: StreamRef = { bytes: 0, omitted: 0 }

/**
 * A run's output, at most `cap` bytes in all, notices included. Each stream may have half, and
 * the room that the other leaves. `folder` is the run’s own.
 */
export async function readStreams(
  folder: string,
  { stdout = none, stderr = none }: Pick<RunEnd, 'stdout' | 'stderr'>,
  cap: number,
): Promise<{ stdout: string; stderr: string }> {
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
