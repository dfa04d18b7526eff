import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import { createTerminal } from '../src/server/terminal/create-terminal.ts'
import { tempFolder } from '../test/support/temp.ts'
import { ms, percentile, type Row, times } from './stats.ts'

const rounds = 1_000

/** `true` in our shell, through a bare pipe to one bash, and in a new bash: interleaved in one run. */
export async function roundTrip(): Promise<readonly Row[]> {
  const temp = await tempFolder()
  const folder = join(temp.path, 'session')
  await mkdir(folder, { mode: 0o700 })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: temp.path,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }
  const terminal = createTerminal({
    folder,
    shell: 'bash',
    env,
    holderEntry: join(process.env['TANDEM_DIST'] ?? 'dist', 'holder.js'),
    onShellEnd: () => undefined,
  })
  const started = await terminal.start({ generation: 1, cwd: temp.path })
  if (!started.ok) throw new Error(started.error)
  const piped = spawn('bash', ['--norc', '--noprofile'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const samples = { shared: [] as number[], pipe: [] as number[], spawned: [] as number[] }
  const signal = new AbortController().signal
  const watch = { signal, onOutput() {}, onTimeout() {}, onWaits() {}, onStatus() {} }
  for (let round = 0; round < rounds; round++) {
    samples.pipe.push(await timed(() => throughPipe(piped)))
    samples.shared.push(
      await timed(async () => {
        const id = `sh-${uuidv7()}`
        await terminal.run({ id, command: 'true', by: 'model', timeoutMs: 0 }, watch)
        terminal.settle(id)
      }),
    )
    if (round % 5 === 0) samples.spawned.push(await timed(() => newBash(env)))
  }
  piped.kill()
  await terminal.close()
  await temp.remove()
  const p50 = (list: readonly number[]) => percentile(list, 0.5)
  const [shared, pipe, spawned] = [p50(samples.shared), p50(samples.pipe), p50(samples.spawned)]
  return [
    {
      what: 'round trip of `true`, p50',
      figure: ms(shared),
      beside: `p95 ${ms(percentile(samples.shared, 0.95))}`,
    },
    {
      what: '  against a bare pipe to bash',
      figure: times(shared / pipe),
      beside: `pipe ${ms(pipe)}, to reach ≤ 8 ×`,
    },
    {
      what: '  against spawning bash',
      figure: times(shared / spawned),
      beside: `spawn ${ms(spawned)}, to reach ≤ 0.35 ×`,
    },
  ]
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function throughPipe(child: ChildProcess): Promise<void> {
  const answered = once(child.stdout!, 'data')
  child.stdin!.write('true; echo $?\n')
  await answered
}

async function newBash(env: Record<string, string>): Promise<void> {
  await once(spawn('bash', ['-c', 'true'], { env, stdio: 'ignore' }), 'exit')
}
