import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type Access, noToken, tokenAccess } from '../client/wire/access.ts'
import type { Connection } from '../client/wire/request.ts'
import { createCall } from '../client/wire/call.ts'
import { isStranger, isUnreachable, refusalOf } from '../client/wire/client-error.ts'
import type { Health } from '../protocol/http/server-routes.ts'
import { readHealth } from '../client/server.ts'
import { protocolVersion } from '../protocol/http/routes.ts'
import { findSocket, localFetch } from '../server/access/local-socket.ts'
import { folderProblem, serverFile, serverLog, tokenFile } from '../server/process/data-folder.ts'
import { readRegular, unwaited } from '../server/files/read-regular.ts'
import { CliError, exitCode } from './exit-code.ts'

/** A server that answers. */
export interface FoundServer extends Reached {
  health: Health
}

/** A server's address and the way there: over its socket if it has one, and else only after it has proved itself. */
interface Reached {
  url: string
  access: Access
  fetch: typeof globalThis.fetch
  /** The way by which the server can see which program says yes: its socket does not tell. */
  approving?: Connection['approving']
}

export interface StartOptions {
  home: string
  serverEntry: string
  /** The model for a server that has to be started. */
  model?: string | undefined
}

/** Loopback alone: a file that says otherwise is not our server's. */
const ServerFile = z.object({
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
  pid: z.number().int(),
  version: z.string(),
})
const ReadyLine = z.union([
  z.object({ url: z.string(), pid: z.number().int() }),
  z.object({ error: z.string(), failure: z.string().optional() }),
])

/** A server on this machine answers at once; one that takes longer hangs. */
const healthMs = 3_000
/** Opening the store after a crash, with migrations, on a slow disk. */
const startMs = 30_000

/** The server of this data folder if one is running; null if there is none. */
export async function findServer(home: string): Promise<FoundServer | null> {
  const problem = folderProblem(home)
  if (problem !== null) throw new CliError(problem, exitCode.config)
  const file = ServerFile.safeParse(parseJson(readText(join(home, serverFile))))
  if (!file.success) return null
  return checkServer(home, file.data)
}

async function reach(home: string, url: string): Promise<Reached | null> {
  const socket = findSocket(home)
  const token = readText(join(home, tokenFile))?.trim()
  const proven = token === undefined ? null : { access: tokenAccess({ url, token, fetch }), fetch }
  if (socket === null) return proven && { url, ...proven }
  const local = { url, access: noToken, fetch: localFetch(socket) }
  return proven === null ? local : { ...local, approving: proven }
}

async function checkServer(
  home: string,
  { url, pid }: { url: string; pid: number },
): Promise<FoundServer | null> {
  const reached = await reach(home, url)
  if (reached === null) return null
  const call = createCall(reached)
  try {
    const health = await readHealth({ call }, AbortSignal.timeout(healthMs))
    if (health.protocol !== protocolVersion)
      throw new CliError(
        `the running server is of version ${health.version}, this is ${TANDEM_VERSION}. End it with: kill ${health.pid}`,
      )
    return { ...reached, health }
  } catch (error) {
    if (isUnreachable(error) || isTimeout(error) || isStranger(error)) return null
    if (refusalOf(error)?.code === 'not_found')
      throw new CliError(`the running server is of an earlier version. End it with: kill ${pid}`)
    if (refusalOf(error)?.code !== 'unauthorized') throw error
    throw new CliError(
      `the server (process ${pid}) does not let its owner in. End it: kill ${pid}`,
      exitCode.config,
    )
  }
}

/** Finds the server of this data folder, or starts one that outlives us. */
export async function ensureServer(options: StartOptions): Promise<FoundServer> {
  const found = await findServer(options.home)
  if (found) return found
  const ready = await startServer(options)
  const started = await checkServer(options.home, ready)
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
    env: {
      ...process.env,
      TANDEM_HOME: home,
      ...(model !== undefined && { TANDEM_MODEL: model }),
      // A server that is started in a session's shell outlives that session.
      TANDEM_SHELL: undefined,
    },
  })
  try {
    const line = await readyLine(child)
    const ready = ReadyLine.safeParse(parseJson(line))
    if (ready.success && 'url' in ready.data) return ready.data
    if (ready.success && 'error' in ready.data) throw startError(ready.data)
    const said = readText(join(home, serverLog))?.slice(size).trim().split('\n').at(-1)
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
    return await open(join(home, serverLog), unwaited.append, 0o600)
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

function readText(path: string): string | undefined {
  try {
    return readRegular(path)
  } catch {
    return undefined
  }
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
