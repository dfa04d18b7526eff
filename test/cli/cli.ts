import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'

/** The bundle; or one that was installed elsewhere. */
const entry =
  process.env['TANDEM_CLI'] ?? fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Started {
  process: ChildProcessWithoutNullStreams
  /** Resolves when stdout holds this text. */
  printed(text: string): Promise<void>
  ended: Promise<Ended>
}

/** The built cli in a world of its own: a fresh home, a fresh folder, no variables of ours. */
export function createWorld(env: Record<string, string> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-cli-')))
  const [home, folder] = [join(root, 'data'), join(root, 'folder')]
  for (const path of [join(root, 'home'), folder]) mkdirSync(path)
  const world = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(root, 'home'),
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TANDEM_HOME: home,
    ...env,
  }

  function start(args: readonly string[], options: { cwd?: string } = {}): Started {
    const child = spawn(process.execPath, [entry, ...args], {
      cwd: options.cwd ?? folder,
      env: world,
      stdio: 'pipe',
    })
    let stdout = ''
    let stderr = ''
    const watchers = new Set<() => void>()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      for (const watcher of watchers) watcher()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr }))
    const printed = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => stdout.includes(text) && resolve()
        watchers.add(look)
        void ended.then(() => reject(new Error(`ended without "${text}": ${stdout}${stderr}`)))
        look()
      })
    return { process: child, printed, ended }
  }

  async function run(
    args: readonly string[],
    options: { input?: string; cwd?: string } = {},
  ): Promise<Ended> {
    const started = start(args, options)
    started.process.stdin.end(options.input ?? '')
    return started.ended
  }

  return {
    home,
    folder,
    env: world,
    entry,
    start,
    run,
    remove: () => rmSync(root, { recursive: true, force: true }),
    /** Ends server and shells, and fails if anything of this world is still alive. */
    end: async () => {
      const stopped = await run(['stop', '--shells'])
      const left = processesOf(root)
      rmSync(root, { recursive: true, force: true })
      if (stopped.code !== 0 || left.length > 0)
        throw new Error(`left behind: ${left.join(', ')}\n${stopped.stderr}`)
    },
  }
}

export type World = ReturnType<typeof createWorld>

/** Processes that were started in this world, known by the folder in their environment. */
export function processesOf(root: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).includes(root))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The last line of what was printed, as what it should be. */
export function lastLine<T>(schema: z.ZodType<T>, text: string): T {
  return schema.parse(JSON.parse(text.trimEnd().split('\n').at(-1) ?? ''))
}
