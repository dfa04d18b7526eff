import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunId } from '../../protocol/events/seq.ts'
import { streamText, withNote } from '../../session/conversation/stream-text.ts'
import type { LimitedCommand } from '../process/process-limits.ts'
import { createOutputFeed } from '../terminal/run/live-feed.ts'
import { within } from '../terminal/within.ts'
import { type Collected, collect, openSpool } from './spool.ts'
import { removeRunFile } from './run-file.ts'
import {
  endProcesses,
  gone,
  type RunProcesses,
  cancelled,
  noEnd,
  notStarted,
  type OneShotEnd,
  type OneShotWatch,
  stopper,
} from './run-processes.ts'
import { findStart, type StartedProcess, startProcess } from './start-process.ts'

export interface Execution {
  id: RunId
  command: string
  cwd: string
  env: Readonly<Record<string, string>>
  /** A name to be looked for in PATH, or a file. */
  shell: string
  /** 0 = none. */
  timeoutMs: number
  /** Belongs to this run alone. */
  outFolder: string
  limit: (file: string, args: readonly string[]) => LimitedCommand
}

/** For a pipe's last bytes, and for children that are about to end anyway. */
const graceMs = 250
/** For what is still in a pipe when everyone who could write to it is gone. */
const drainMs = 1_000

/** Runs one command as a child process. Whatever it started is gone when this resolves. */
export async function execute(order: Execution, watch: OneShotWatch): Promise<OneShotEnd> {
  const found = await findStart(order)
  if (!found.ok) return notStarted(found.error)
  if (watch.signal.aborted) return notStarted(cancelled(watch.signal))
  // If this fails, writing the run file fails too, and says why.
  await mkdir(order.outFolder, { recursive: true, mode: 0o700 }).catch(() => undefined)
  const begun = performance.now()
  const feed = createOutputFeed(watch.onOutput)
  const spools = {
    stdout: await openSpool(join(order.outFolder, 'stdout')),
    stderr: await openSpool(join(order.outFolder, 'stderr')),
  }
  const started = await startProcess({
    ...order,
    shell: found.value,
    mark: order.id,
    folder: order.outFolder,
    read: (name, stream) => collect(stream, { spool: spools[name], onText: feed.push }),
  })
  if (!started.ok) {
    await Promise.all([spools.stdout.end(), spools.stderr.end()])
    await removeRunFile(order.outFolder)
    return notStarted(started.error)
  }
  watch.onStatus('running')
  const end = await follow(started.value, { order, watch, begun })
  feed.flush()
  return end
}

interface Following {
  order: Execution
  watch: OneShotWatch
  begun: number
}

async function follow(
  started: StartedProcess,
  { order, watch, begun }: Following,
): Promise<OneShotEnd> {
  const { stdout, stderr } = started
  const text = () => streamText(order.command, { stdout: stdout.text(), stderr: stderr.text() })
  const run: RunProcesses = {
    leader: started.pid,
    startTime: started.startTime,
    mark: order.id,
    cgroup: started.cgroup,
  }
  const stop = stopper(run, { timeoutMs: order.timeoutMs, watch, text })
  const exit = await Promise.race([started.exit, stop.failed])
  const durationMs = Math.round(performance.now() - begun)
  const rest = await settle(run, { streams: [stdout, stderr], stopped: stop.leave() })
  const refs = { stdout: await stdout.end(), stderr: await stderr.end() }
  if (rest.notEnded.length === 0) await removeRunFile(order.outFolder)
  const notes = [stop.reason(), ...restNotes(rest)].filter((note) => note !== null)
  return {
    ...noEnd,
    ...refs,
    outcome: exit === null ? 'lost' : 'ended',
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    durationMs,
    bytes: refs.stdout.bytes + refs.stderr.bytes,
    omitted: refs.stdout.omitted + refs.stderr.omitted,
    output: notes.reduce(withNote, text()),
    notEnded: rest.notEnded,
  }
}

interface Rest {
  /** It ended by itself but left others, which had to be ended. */
  leftOthers: boolean
  notEnded: readonly number[]
}

/**
 * The command has ended. Its pipes and children get a moment; then what is left is ended, and only
 * when nobody who could write is there any more are the pipes given up, so that no byte is lost.
 */
async function settle(
  run: RunProcesses,
  parts: { streams: readonly Collected[]; stopped: Promise<readonly number[]> | null },
): Promise<Rest> {
  const drained = Promise.all(parts.streams.map((stream) => stream.done))
  const rest = await endRest(run, parts.stopped)
  if (!(await within(drainMs, drained))) for (const stream of parts.streams) stream.giveUp()
  return rest
}

async function endRest(
  run: RunProcesses,
  stopped: Promise<readonly number[]> | null,
): Promise<Rest> {
  if (stopped !== null) return { leftOthers: false, notEnded: await stopped }
  if (await gone(run, graceMs)) return { leftOthers: false, notEnded: [] }
  return { leftOthers: true, notEnded: await endProcesses(run) }
}

function restNotes({ leftOthers, notEnded }: Rest): readonly string[] {
  const left = leftOthers ? ['what it left running in the background was ended'] : []
  return notEnded.length === 0 ? left : [...left, `could not be ended: ${notEnded.join(', ')}`]
}
