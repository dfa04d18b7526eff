import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { routes } from '../../protocol/http/routes.ts'
import { findSocket, localFetch } from '../access/local-socket.ts'
import { readPrivate } from '../access/private-file.ts'
import { tokenFile, StartError, serverFile } from './data-folder.ts'
import { rmSync } from 'node:fs'
import { z } from 'zod'
import { readRegular } from '../files/read-regular.ts'
import { replaceFile } from '../files/replace-file.ts'
import { acquireLock, type Lock } from '../store/lock.ts'

/** A server that is starting or ending is given this long. */
const patienceMs = 10_000
const pollMs = 20

/** The right to serve a data folder; null when another process has it and may keep it. */
export async function takeFolder(
  home: string,
  { replace }: { replace: boolean },
): Promise<Lock | null> {
  const first = acquireLock(home)
  if (first.ok) return first.value
  if (!replace) return null
  await askToEnd(await running(home), home)
  return waitFor(
    () => {
      const lock = acquireLock(home)
      return lock.ok ? lock.value : null
    },
    () => `the running server of ${home} does not end. Stop process ${readServerInfo(home)?.pid}.`,
  )
}

/** The server that already runs on a data folder. */
export async function attachTo(home: string): Promise<RunningServer> {
  const { url, pid } = await running(home)
  const token = (await readPrivate(join(home, tokenFile)))?.trim() ?? ''
  const response = await post(home, `${url}/v1/secrets`)
  const answer = routes.secret.answer.safeParse(await response.json().catch(() => null))
  return {
    url,
    token,
    pid,
    startUrl: answer.data?.url ?? url,
    tokenFile: join(home, tokenFile),
    attached: true,
    closed: Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

function running(home: string): Promise<ServerInfo> {
  return waitFor(
    () => readServerInfo(home),
    () => `another server uses ${home}, but does not say where it is. Stop it, or set TANDEM_HOME.`,
  )
}

async function askToEnd({ url }: ServerInfo, home: string): Promise<void> {
  await post(home, `${url}/v1/shutdown`).catch(() => undefined)
}

/** Over the server's socket, which only its owner can open and only a server of this folder makes. */
async function post(home: string, url: string): Promise<Response> {
  const socket = findSocket(home)
  if (socket === null) {
    const message = `the running server of ${home} has no socket there: is it of an earlier version? End it first.`
    throw new StartError('running', message)
  }
  return localFetch(socket)(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(patienceMs),
  })
}

async function waitFor<T>(look: () => T | null, complaint: () => string): Promise<T> {
  const end = performance.now() + patienceMs
  for (;;) {
    const found = look()
    if (found !== null) return found
    if (performance.now() > end) throw new StartError('running', complaint())
    await delay(pollMs)
  }
}

/** A server as the process that started or found it sees it. */
export interface RunningServer {
  url: string
  token: string
  pid: number
  /** Logs one browser in, once. */
  startUrl: string
  tokenFile: string
  /** Another process serves this data folder already; this describes it. */
  attached: boolean
  closed: Promise<void>
  close(): Promise<void>
}

/** The address of the running server; clients find it by this. */
const ServerInfo = z.object({ url: z.string(), pid: z.number().int(), version: z.string() })
type ServerInfo = z.infer<typeof ServerInfo>

export function readServerInfo(home: string): ServerInfo | null {
  return parse(ServerInfo, join(home, serverFile))
}

/** Whole or not at all: a client may read it at any moment. */
export function writeServerInfo(home: string, info: ServerInfo): void {
  put(join(home, serverFile), info)
  put(join(home, portFile), Number(new URL(info.url).port))
}

function put(path: string, value: unknown): void {
  try {
    replaceFile(path, JSON.stringify(value), { mode: 0o600 })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EISDIR')) throw cause
    throw new StartError('folder', `cannot write ${path}: is it a folder? Remove it.`, { cause })
  }
}

export function removeServerInfo(home: string): void {
  rmSync(join(home, serverFile), { force: true })
}

/** Remembered, so that an open page finds the next server at the same address. */
const portFile = 'port'

/** Ports below are not given out to programs, and browsers talk to few of them: no server of ours had one. */
const firstPort = 1_024

export function rememberedPort(home: string): number {
  return parse(z.number().int().min(firstPort).max(65_535), join(home, portFile)) ?? 0
}

function parse<T>(schema: z.ZodType<T>, path: string): T | null {
  try {
    return schema.parse(JSON.parse(readRegular(path)))
  } catch {
    return null
  }
}
