import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createTerminal } from '../src/server/terminal/create-terminal.ts'
import type { TerminalOptions } from '../src/server/terminal/terminal-options.ts'
import { tempFolder } from '../test/support/temp.ts'
import { startInProcess } from './in-process.ts'
import { ms, percentile, type Row, times } from './stats.ts'

const rounds = 1_000
const shells = ['bash', 'zsh'] as const

interface Way {
  name: string
  run(): Promise<unknown>
  close(): Promise<void> | void
  /** It is measured once in so many rounds. */
  every: number
  samples: number[]
}

/** `true` in our shells with and without the holder, through a bare pipe, and in a new bash: interleaved. */
export async function roundTrip(): Promise<readonly Row[]> {
  const temp = await tempFolder()
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: temp.path,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }
  const pipe = throughPipe(env)
  const fresh = newBash(env)
  const held: Way[] = []
  const bare: Way[] = []
  for (const shell of shells) {
    const folder = join(temp.path, shell)
    await mkdir(folder, { mode: 0o700 })
    const options: TerminalOptions = {
      folder,
      shell,
      env,
      holderEntry: join(process.env['TANDEM_DIST'] ?? 'dist', 'holder.js'),
      onShellEnd: () => undefined,
    }
    held.push(await withHolder(options, temp.path))
    bare.push(await withoutHolder(options, temp.path))
  }
  // A shell behind a holder still draws its prompt when its run has ended; those two do not meet.
  const ways = [pipe, ...held.flatMap((way, at) => [way, ...bare.slice(at, at + 1)]), fresh]
  for (let round = 0; round < rounds; round++)
    for (const way of ways) if (round % way.every === 0) await measure(way)
  for (const way of ways) await way.close()
  await temp.remove()
  const against = { pipe: p50(pipe), spawn: p50(fresh) }
  return [
    { what: 'round trip of `true`: bare pipe to bash, p50', figure: ms(against.pipe) },
    { what: '  spawning bash', figure: ms(against.spawn) },
    ...held.flatMap((way) => rowsOf(way, against, ', to reach ≤ 8 × and ≤ 0.35 ×')),
    ...bare.flatMap((way) => rowsOf(way, against, '')),
  ]
}

const p50 = ({ samples }: Way) => percentile(samples, 0.5)

function rowsOf(way: Way, against: { pipe: number; spawn: number }, wanted: string): Row[] {
  const figure = p50(way)
  const ratios = `${times(figure / against.pipe)} pipe, ${times(figure / against.spawn)} spawn${wanted}`
  const p95 = ms(percentile(way.samples, 0.95))
  return [{ what: `  ${way.name}`, figure: ms(figure), beside: `${ratios}; p95 ${p95}` }]
}

async function measure(way: Way): Promise<void> {
  const start = performance.now()
  await way.run()
  way.samples.push(performance.now() - start)
}

async function withHolder(options: TerminalOptions, cwd: string): Promise<Way> {
  const terminal = createTerminal(options)
  const started = await terminal.start({ generation: 1, cwd })
  if (!started.ok) throw new Error(started.error)
  const { signal } = new AbortController()
  const watch = { signal, onOutput() {}, onTimeout() {}, onWaits() {}, onStatus() {} }
  return {
    name: `our ${options.shell}`,
    samples: [],
    every: 1,
    async run() {
      const id = `sh-${randomUUID()}`
      await terminal.run({ id, command: 'true', by: 'model', timeoutMs: 0 }, watch)
      terminal.settle(id)
    },
    close: () => terminal.close(),
  }
}

async function withoutHolder(options: TerminalOptions, cwd: string): Promise<Way> {
  const shell = await startInProcess(options, cwd)
  return {
    name: `our ${options.shell} without the holder`,
    samples: [],
    every: 1,
    run: () => shell.run('true'),
    close: shell.close,
  }
}

function throughPipe(env: Record<string, string>): Way {
  const child: ChildProcess = spawn('bash', ['--norc', '--noprofile'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  return {
    name: 'pipe',
    samples: [],
    every: 1,
    async run() {
      const answered = once(child.stdout!, 'data')
      child.stdin!.write('true; echo $?\n')
      await answered
    },
    close: () => void child.kill(),
  }
}

function newBash(env: Record<string, string>): Way {
  return {
    name: 'spawn',
    samples: [],
    every: 5,
    run: () => once(spawn('bash', ['-c', 'true'], { env, stdio: 'ignore' }), 'exit'),
    close() {},
  }
}
