import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { bootId, readProcess } from './process-table.ts'
import { endProcesses } from './run-processes.ts'

/** `process.json` in a run's folder while it runs: how a later server finds what a dead one left. */
const RunFile = z.object({
  bootId: z.string(),
  mark: z.string(),
  /** Null until it is started. */
  leader: z.object({ pid: z.number().int().positive(), startTime: z.number() }).nullable(),
})
type RunFile = z.infer<typeof RunFile>

const fileName = 'process.json'

export async function writeRunFile(folder: string, run: Omit<RunFile, 'bootId'>): Promise<void> {
  const path = join(folder, fileName)
  const file: RunFile = { bootId: bootId(), ...run }
  await writeFile(`${path}.new`, JSON.stringify(file), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

export async function removeRunFile(folder: string): Promise<void> {
  // One that stays names processes that are gone; the next start finds that out.
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
  const text = await readFile(join(folder, fileName), 'utf8').catch(() => null)
  if (text === null) return []
  const file = RunFile.safeParse(parse(text))
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
