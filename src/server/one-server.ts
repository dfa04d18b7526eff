import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { tokenFile } from './data-folder.ts'
import type { RunningServer } from './running-server.ts'
import { readServerInfo, type ServerInfo } from './server-file.ts'
import { StartError } from './start-error.ts'
import { acquireLock, type Lock } from './store/lock.ts'

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
  const token = readToken(home)
  const response = await post(`${url}/v1/secrets`, token)
  const answer: { url?: string } = JSON.parse(await response.text())
  return {
    url,
    token,
    pid,
    startUrl: answer.url ?? url,
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
  const token = readToken(home)
  await post(`${url}/v1/shutdown`, token).catch(() => undefined)
}

function readToken(home: string): string {
  return readFileSync(join(home, tokenFile), 'utf8').trim()
}

function post(url: string, token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(url, {
    method: 'POST',
    headers,
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
