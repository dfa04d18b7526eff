import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Foreground } from '../../../src/server/terminal/probe/classify.ts'
import { createProbe } from '../../../src/server/terminal/probe/probe.ts'
import { watchForeground } from '../../../src/server/terminal/probe/watch-foreground.ts'
import { prepare, type ProbeCase } from './cases.ts'
import { begun, openShell } from './shell.ts'

export interface MatrixJob {
  folder: string
  cases: readonly (ProbeCase & { expected: Foreground['state'] })[]
  /** To become, once everything is loaded. */
  uid: number | null
}

export interface MatrixResult {
  name: string
  /** Every state the watch reported, in order. */
  reported: readonly Foreground['state'][]
  last: Foreground
  /** Time from the last output (or the start) to the report; null when it never came. */
  latencyMs: number | null
  /** Milliseconds of each look. */
  looks: readonly number[]
}

/** A program that starts slowly on a busy machine is given this many looks, about 15 s. */
const maxLooks = 18
/** Programs that should go on running are looked at this often. */
const runningLooks = 4
/** Most of a case is waiting for the next look. */
const lanes = 8

async function runCase(one: MatrixJob['cases'][number], folder: string): Promise<MatrixResult> {
  execFileSync('cp', ['-a', 'prepared', folder])
  let stir: () => void = () => {}
  let stop: () => void = () => {}
  let stirred = performance.now()
  const shell = await openShell(folder, () => {
    stirred = performance.now()
    stir()
  })
  const probe = createProbe({ shellPid: shell.pid, pts: shell.pts })
  const reported: Foreground['state'][] = []
  const looks: number[] = []
  let latencyMs: number | null = null
  shell.type(`${one.command}\n`)
  await shell.printed(begun)
  const last = await new Promise<Foreground>((resolve) => {
    let times = 0
    const counted = {
      ...probe,
      async read() {
        const from = performance.now()
        const found = await probe.read()
        looks.push(performance.now() - from)
        times = found.state === one.expected ? times + 1 : 0
        const enough = one.expected === 'running' ? runningLooks : 2
        if (times >= enough || looks.length >= maxLooks) setImmediate(resolve, found)
        return found
      },
    }
    const watch = watchForeground(
      { shellPid: shell.pid, pts: shell.pts, probe: counted },
      (found) => {
        reported.push(found.state)
        if (found.state === one.expected) latencyMs = performance.now() - stirred
      },
    )
    stir = watch.stir
    stop = watch.stop
  })
  stop()
  await shell.close()
  return { name: one.name, reported, last, latencyMs, looks }
}

async function main(): Promise<void> {
  const job = JSON.parse(process.argv[2] ?? '') as MatrixJob
  if (job.uid !== null) {
    process.setgroups?.([])
    process.setgid?.(job.uid)
    process.setuid?.(job.uid)
  }
  process.chdir(job.folder)
  mkdirSync('prepared')
  execFileSync('sh', ['-c', prepare], {
    cwd: 'prepared',
    env: { ...process.env, HOME: job.folder },
  })
  let next = 0
  async function lane(): Promise<void> {
    for (;;) {
      const number = next++
      const one = job.cases[number]
      if (one === undefined) return
      const result = await runCase(one, join(job.folder, String(number)))
      process.stdout.write(`${JSON.stringify(result)}\n`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  process.exit(0)
}

await main()
