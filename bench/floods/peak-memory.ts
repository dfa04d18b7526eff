import { readFile, writeFile } from 'node:fs/promises'

/** What processes grow by at most while something is done, in KB each: the kernel keeps the peak. */
export async function peakGrowth(
  pids: readonly number[],
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const before = await Promise.all(pids.map(resetPeak))
  await work()
  const peaks = await Promise.all(pids.map((pid) => inStatus(pid, 'VmHWM')))
  return peaks.map((peak, index) => peak - (before[index] ?? 0))
}

async function resetPeak(pid: number): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  return inStatus(pid, 'VmRSS')
}

async function inStatus(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
}
