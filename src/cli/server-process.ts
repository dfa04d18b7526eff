import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { createCall } from '../client/call.ts'
import { isUnreachable, refusalOf } from '../client/client-error.ts'
import { type Health } from '../protocol/health.ts'
import { protocolVersion, routes } from '../protocol/routes.ts'
import { serverFile, serverLog, tokenFile } from '../server/data-folder.ts'
import { CliError, exitCode } from './exit-code.ts'

/** A server that answers. */
export interface FoundServer {
  url: string
  token: string
  health: Health
}

export interface StartOptions {
  home: string
  serverEntry: string
  /** The model for a server that has to be started. */
  model?: string | undefined
}

const ServerFile = z.object({ url: z.string(), pid: z.number().int(), version: z.string() })
const ReadyLine = z.union([
  z.object({ url: z.string(), token: z.string(), pid: z.number().int() }),
  z.object({ error: z.string(), failure: z.string().optional() }),
])

/** A server on this machine answers at once; one that takes longer hangs. */
const healthMs = 3_000
/** Opening the store after a crash, with migrations, on a slow disk. */
const startMs = 30_000

/** The server of this data folder if one is running; null if there is none. */
export async function findServer(home: string): Promise<FoundServer | null> {
  const file = await readText(join(home, serverFile))
  const token = (await readText(join(home, tokenFile)))?.trim()
  const parsed = ServerFile.safeParse(parseJson(file))
  if (!parsed.success || token === undefined) return null
  return checkServer({ ...parsed.data, token })
}

interface Address {
  url: string
  token: string
  pid: number
}

async function checkServer({ url, token, pid }: Address): Promise<FoundServer | null> {
  const call = createCall({ url, token, fetch })
  try {
    const health = await call(routes.health, { signal: AbortSignal.timeout(healthMs) })
    if (health.protocol !== protocolVersion)
      throw new CliError(
        `the running server is of version ${health.version}, this is ${TANDEM_VERSION}. End it with: kill ${health.pid}`,
      )
    return { url, token, health }
  } catch (error) {
    if (isUnreachable(error) || isTimeout(error)) return null
    if (refusalOf(error)?.code !== 'unauthorized') throw error
    throw new CliError(
      `the server (process ${pid}) does not accept the token in the data folder. End it: kill ${pid}`,
      exitCode.config,
    )
  }
}

/** Finds the server of this data folder, or starts one that outlives us. */
export async function ensureServer(options: StartOptions): Promise<FoundServer> {
  const found = await findServer(options.home)
  if (found) return found
  const ready = await startServer(options)
  const started = await checkServer(ready)
  if (started) return started
  throw new CliError(`the server started but does not answer. See ${join(options.home, serverLog)}`)
}

async function startServer({ home, serverEntry, model }: StartOptions) {
  const log = await openLog(home)
  const { size } = await log.stat()
  const child = spawn(process.execPath, [serverEntry, '--detached'], {
    cwd: home,
    detached: true,
    stdio: ['ignore', 'pipe', log.fd],
    // It starts in another folder, where a relative path would mean another place.
    env: { ...process.env, TANDEM_HOME: home, ...(model !== undefined && { TANDEM_MODEL: model }) },
  })
  try {
    const line = await readyLine(child)
    const ready = ReadyLine.safeParse(parseJson(line))
    if (ready.success && 'url' in ready.data) return ready.data
    if (ready.success && 'error' in ready.data) throw startError(ready.data)
    const said = (await readText(join(home, serverLog)))?.slice(size).trim().split('\n').at(-1)
    throw startError({ error: said || 'it ended before it was ready' })
  } finally {
    child.stdout?.destroy()
    child.unref()
    await log.close()
  }
}

async function openLog(home: string): Promise<FileHandle> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    return await open(join(home, serverLog), 'a', 0o600)
  } catch (cause) {
    throw new CliError(`cannot use the data folder ${home}: set TANDEM_HOME`, exitCode.config, {
      cause,
    })
  }
}

function startError({ error, failure }: { error: string; failure?: string | undefined }): CliError {
  const code = failure === 'config' ? exitCode.config : exitCode.error
  return new CliError(`cannot start the server: ${error}`, code)
}

/** Empty when it ended, or said nothing in time. */
async function readyLine(child: ChildProcess): Promise<string> {
  const failed = once(child, 'error').then(([error]: unknown[]) => {
    throw startError({ error: String(error) })
  })
  const line = child.stdout ? firstLine(child.stdout, AbortSignal.timeout(startMs)) : ''
  return Promise.race([line, failed])
}

async function firstLine(stream: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  for await (const line of createInterface({ input: stream, signal })) return line
  return ''
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
