import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, watch, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { randomUUID } from 'node:crypto'
import { isUnreachable } from '../../src/client/wire/client-error.ts'
import { type Client, connect } from '../../src/client/wire/connect.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { openTestSession, type TestSession } from './session.ts'
import { tempFolder } from './temp.ts'

/** A whole Tandem on its own data folder and home: real server process, real shells. */
export interface TestServer {
  url: string
  token: string
  home: string
  workspace: string
  client: Client
  process: ChildProcess
  session(options?: { workspace?: string }): Promise<TestSession>
  /** The session again, over the present server. */
  reopen(session: TestSession): TestSession
  /** Resolves when the draft of a session's open reply has this text on disk. */
  savedDraft(session: string, text: string): Promise<void>
  /** The process that owns a shell's terminal: its parent. */
  holdersOf(shell: number): Promise<readonly number[]>
  patch(session: string, changes: { private?: boolean; title?: string }): Promise<void>
  remove(session: string): Promise<void>
  /** No goodbye. */
  kill(): Promise<void>
  /** A new server on the same data folder, with these besides its environment. */
  restart(env?: Record<string, string>): Promise<void>
  close(): Promise<void>
}

export interface TestServerOptions {
  env?: Record<string, string>
  /** The person's configuration file. */
  config?: object
  /** A program, and its first words, that starts the server. */
  through?: readonly string[]
  /** Gets what the server writes to stderr; otherwise it is shown. */
  onErrors?: (bytes: Buffer) => void
}

/** For tests that read the conversation part by part: the default joins what stands between two replies. */
export const partByPart = { strictAlternation: false } as const

/** Tests and benchmarks are started in the project's folder. */
const entry = join(process.cwd(), 'dist', 'server.js')

export async function startServer({
  env = {},
  config = {},
  through = [],
  onErrors,
}: TestServerOptions = {}): Promise<TestServer> {
  const temp = await tempFolder()
  const workspace = join(temp.path, 'workspace')
  await mkdir(workspace)
  const configFolder = join(temp.path, '.config', 'tandem')
  await mkdir(configFolder, { recursive: true })
  await writeFile(join(configFolder, 'config.json'), JSON.stringify(config))
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: temp.path,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TANDEM_HOME: join(temp.path, 'tandem'),
    ...env,
  }

  async function launch(more: Record<string, string> = {}) {
    const [program, ...words] = [...through, process.execPath, entry, '--detached']
    const child = spawn(program, words, {
      env: { ...environment, ...more },
      cwd: temp.path,
      stdio: ['ignore', 'pipe', onErrors === undefined ? 'inherit' : 'pipe'],
    })
    if (onErrors !== undefined) child.stderr?.on('data', onErrors)
    const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
    const { url, token, error } = JSON.parse(line)
    if (error !== undefined) throw new Error(error)
    const client = connect({ url, token, fetch: tellingFetch, newKey: randomUUID })
    return { child, url: url as string, token: token as string, client }
  }

  /** A 500 refers to the diagnostics, which are gone with the test's folder: they are shown. */
  async function tellingFetch(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...request)
    if (response.status === 500)
      process.stderr.write(await readFile(join(environment.TANDEM_HOME, 'diagnostics.jsonl')))
    return response
  }

  let running = await launch()

  async function kill(): Promise<void> {
    const { child } = running
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }

  return {
    get url() {
      return running.url
    },
    get token() {
      return running.token
    },
    get client() {
      return running.client
    },
    get process() {
      return running.child
    },
    home: environment.TANDEM_HOME,
    workspace,
    async session(options = {}) {
      const view = await running.client.call(routes.createSession, {
        body: { workspace: options.workspace ?? workspace },
      })
      return openTestSession(running.client, view.id)
    },
    reopen: (session) => openTestSession(running.client, session.id),
    async savedDraft(session, text) {
      // Another process writes it; there is no event to wait for, so its file is watched.
      const store = () => openSqliteStore({ file: join(environment.TANDEM_HOME, 'tandem.db') })
      const isSaved = async () => {
        const opened = store()
        const draft = await opened.draft(session)
        await opened.close()
        return draft?.text === text
      }
      const stop = new AbortController()
      const changes = watch(environment.TANDEM_HOME, { signal: stop.signal })
      if (await isSaved()) return stop.abort()
      for await (const _ of changes) if (await isSaved()) break
      stop.abort()
    },
    async holdersOf(shell) {
      const stat = await readFile(`/proc/${shell}/stat`, 'utf8')
      return [Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]
    },
    async patch(id, changes) {
      await running.client.call(routes.updateSession, { params: { id }, body: changes })
    },
    async remove(id) {
      await running.client.call(routes.deleteSession, { params: { id } })
    },
    kill,
    async restart(more) {
      await kill()
      running = await launch(more)
    },
    async close() {
      const { child, client } = running
      if (child.exitCode !== null || child.signalCode !== null) running = await launch()
      const exit = once(running.child, 'exit')
      const asked = running.child === child ? client : running.client
      const end = () => asked.call(routes.shutdown, { body: { shells: 'end' } })
      // A connection that was kept may be closed as it is used, on a loaded machine: then it was not heard.
      await end().catch((error: unknown) => (isUnreachable(error) ? end() : Promise.reject(error)))
      await exit
      await temp.remove()
    },
  }
}
