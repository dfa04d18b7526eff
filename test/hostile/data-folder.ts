import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { connect, type Client } from '../../src/client/wire/connect.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { testKey } from '../support/browser-key.ts'
import { openTestSession } from '../support/session.ts'
import { tempFolder } from '../support/temp.ts'
import { processesOf } from '../cli/cli.ts'
import { answerMs } from './witness.ts'

/** A data folder that was in use, its home and its workspace; put back as it was before each row. */
export interface DataFolder {
  root: string
  home: string
  workspace: string
  session: string
  /** A run in the terminal, and a one-shot command. */
  run: string
  oneShot: string
  restore(): void
  /** Files of the data folder, by their paths in it. */
  files: readonly string[]
  start(): Promise<Started>
  /** Everything that its processes opened in it so far. */
  opened: readonly string[]
  remove(): Promise<void>
}

/** A server that was told to start: it did, or said why not. */
export interface Started {
  said: z.infer<typeof ReadyLine>
  errors: string
  client: Client | null
  /** Asked to end with its shells; resolves when nothing is left. */
  end(): Promise<void>
}

const ReadyLine = z.union([
  z.object({ url: z.string(), token: z.string(), pid: z.number() }),
  z.object({ error: z.string(), failure: z.string().nullable() }),
])

const entry = join(process.cwd(), 'dist', 'server.js')
const watching = new URL('opened-files.mjs', import.meta.url).href

/** The files of a project and of a person that a session reads, all of them good. */
const projectFiles: Readonly<Record<string, string>> = {
  'workspace/AGENTS.md': 'Be kind.\n',
  'workspace/.tandem/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n',
  'workspace/.tandem/commands/greet.md': '---\ndescription: Greets.\n---\nSay hello.\n',
  'workspace/.claude/commands/part.md': 'Say goodbye.\n',
  'workspace/.gemini/commands/ask.toml': 'prompt = "Ask."\ndescription = "Asks."\n',
  'workspace/notes.txt': 'notes\n',
  '.config/tandem/config.json': '{}\n',
  '.config/tandem/skills/neat/SKILL.md': '---\nname: neat\ndescription: Neat.\n---\nNeat.\n',
}

export async function openDataFolder(): Promise<DataFolder> {
  const temp = await tempFolder()
  const live = join(temp.path, 'live')
  const told = join(temp.path, 'opened')
  const kept = join(temp.path, 'kept')
  const home = join(live, 'tandem')
  const workspace = join(live, 'workspace')
  for (const [path, text] of Object.entries(projectFiles)) {
    mkdirSync(join(live, path, '..'), { recursive: true })
    writeFileSync(join(live, path), text)
  }

  async function start(): Promise<Started> {
    const child = spawn(process.execPath, [entry, '--detached'], {
      cwd: live,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: live,
        LANG: 'C.UTF-8',
        SHELL: '/bin/bash',
        TANDEM_HOME: home,
        TANDEM_MODEL: 'demo/demo',
        NODE_OPTIONS: `--import=${watching}?${new URLSearchParams({ into: told })}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    const exit = once(child, 'exit')
    const lines = once(createInterface(child.stdout), 'line', {
      signal: AbortSignal.timeout(answerMs),
    })
    const [line] = await Promise.race([lines, exit.then(() => ['{"error":""}'])]).catch(() => {
      child.kill('SIGKILL')
      throw new Error(`the server hangs at its start: ${errors}`)
    })
    const said = ReadyLine.parse({ failure: null, ...JSON.parse(String(line)) })
    const client =
      'url' in said ? connect({ ...said, fetch, newKey: () => crypto.randomUUID() }) : null
    return {
      said,
      get errors() {
        return errors
      },
      client,
      async end() {
        const late = AbortSignal.timeout(answerMs)
        late.addEventListener('abort', () => child.kill('SIGKILL'))
        await client?.call(routes.shutdown, { body: { shells: 'end' } }).catch(() => undefined)
        await exit
        if (late.aborted) throw new Error(`the server does not end: ${errors}`)
        const left = processesOf(temp.path)
        if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
      },
    }
  }

  const first = await start()
  if (first.client === null) throw new Error(JSON.stringify(first.said))
  const { session, run, oneShot } = await use(first.client, workspace)
  await first.end()
  // Another start reads what the first has left.
  await (await start()).end()
  const opened = readFileSync(told, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String(JSON.parse(line)))
    .filter((path) => path.startsWith(`${live}/`))
    .map((path) => path.slice(live.length + 1))
  renameSync(live, kept)
  const restore = () => {
    rmSync(live, { recursive: true, force: true })
    cpSync(kept, live, { recursive: true, verbatimSymlinks: true })
  }
  restore()
  const files = readdirSync(home, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((found) => !found.isDirectory())
    .map((found) => join(found.parentPath, found.name).slice(home.length + 1))
  return {
    root: live,
    home,
    workspace,
    session,
    run,
    oneShot,
    restore,
    files,
    start,
    opened,
    remove: () => temp.remove(),
  }
}

/** All that leaves a file: a trusted workspace, a session, runs, a task, a browser. */
async function use(client: Client, workspace: string) {
  const team = 'default'
  await client.call(routes.trust, { body: { folder: workspace, trusted: true } })
  const { id } = await client.call(routes.createSession, { body: { workspace } })
  const session = openTestSession(client, id)
  await session.run('echo kept output')
  const { id: oneShot } = await client.call(routes.runShell, {
    params: { team },
    body: { command: 'echo out; echo err >&2', session: id },
  })
  for (const { seq } of session.all('tool_request')) await session.answerTo(seq)
  await session.until('run_end', 2)
  const secret = new URL((await client.call(routes.secret, {})).url).hash.slice(8)
  const { key } = testKey()
  await client.call(routes.exchange, { body: { secret, key, name: 'Test 1.0' } })
  await client.call(routes.createTask, { params: { team }, body: { title: 'one' } })
  const [run] = session.all('run_start')
  session.close()
  return { session: id, run: run?.run ?? '', oneShot }
}
