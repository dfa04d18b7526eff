import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { routes } from '../../src/protocol/http/routes.ts'
import { connect, type Database } from '../../src/server/store/database.ts'
import { patience } from '../support/patience.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'

/** A real server, a shell with state and somebody else who follows: all that hostile input must leave alone. */
export interface Witness {
  server: TestServer
  session: TestSession
  /** A file that every hostile command would make. */
  canary: string
  /**
   * Fails unless the server and the shell are the same as before, in the same state, nothing ran, nothing was stored
   * and the other client noticed nothing and is still served.
   */
  check(after: string): Promise<void>
  /** Takes what was done on purpose for what is to be left alone. */
  accept(): Promise<void>
  close(): Promise<void>
}

/** However busy the machine is, an answer that takes longer does not come. */
export const answerMs = Math.round(10_000 * patience)

const asking = 'echo "$HOSTILE_STATE $$ $(jobs -p) $PWD"'

export async function openWitness(env: Record<string, string> = {}): Promise<Witness> {
  const complaints: string[] = []
  const server = await startServer({
    env: { TANDEM_MODEL: 'demo/demo', ...env },
    onErrors: (bytes) => void complaints.push(bytes.toString()),
  })
  const canary = join(server.workspace, 'canary')
  const session = await server.session()
  await session.run('HOSTILE_STATE=kept; sleep 100000 & true')
  const shell = (await session.run(asking)).content
  const other = server.reopen(session)
  await other.live()
  const database = connect({ file: join(server.home, 'tandem.db') })
  const { pid } = await server.client.call(routes.health, {})
  const seenBy = () => ({ stored: storedIn(database, server.home), frames: other.frames.length })
  let before = seenBy()

  async function accept(): Promise<void> {
    // The other client has everything when it has the newest answer.
    const { request } = await session.run('true')
    await other.answerTo(request)
    before = seenBy()
  }

  async function check(after: string): Promise<void> {
    const now = seenBy()
    expect.soft(now.stored, `${after}: something was stored`).toEqual(before.stored)
    expect.soft(other.frames.slice(before.frames), `${after}: another client noticed`).toEqual([])
    expect(existsSync(canary), `${after}: a command ran`).toBe(false)
    const health = await server.client.call(routes.health, {
      signal: AbortSignal.timeout(answerMs),
    })
    expect([health.pid, server.process.exitCode], `${after}: another server`).toEqual([pid, null])
    const answer = await session.run(asking)
    expect(answer.content.split('\n')[1], `${after}: another shell, or another state`).toBe(
      shell.split('\n')[1],
    )
    await other.answerTo(answer.request)
    expect(complaints, `${after}: the server complained on stderr`).toEqual([])
    before = seenBy()
  }

  await accept()
  return {
    server,
    session,
    canary,
    check,
    accept,
    async close() {
      database.close()
      await server.close()
    },
  }
}

const Row = z.record(z.string(), z.unknown())

/** All that is kept: rows, secrets, and the names of the files. */
function storedIn(database: Database, home: string) {
  const whole = ['sessions', 'teams', 'repos', 'tasks', 'trust']
  const counted = ['events', 'keys', 'drafts', 'blobs']
  return {
    rows: whole.map((table) => database.all(Row, `SELECT * FROM ${table}`)),
    counts: counted.map((table) => database.get(Row, `SELECT count(*) AS n FROM ${table}`)?.['n']),
    secrets: ['token', 'identity.pem', 'browsers.json'].map((name) => textOf(join(home, name))),
    files: readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/^tandem\.db-|\.new$/.test(name))
      .sort(),
    faults: textOf(join(home, 'diagnostics.jsonl')).split('\n').filter(isFault),
  }
}

const isFault = (line: string) => line.includes('failed') || line.includes('"error"')

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** A text that goes to a stranger: no stack trace, no path of the server's, no token. */
export function expectClean(text: string, server: TestServer, name: string): void {
  const said = text.length > 3_000 ? `${text.slice(0, 3_000)}…` : text
  expect(said, `${name}: a stack trace`).not.toMatch(
    /\n\s+at |\bat \S+ \(|node:internal|\.[jt]s:\d/,
  )
  expect(text.length, `${name}: a long answer`).toBeLessThan(10_000)
  for (const secret of [server.token, server.home, process.cwd()])
    expect(said.includes(secret), `${name}: tells a path or the token: ${said}`).toBe(false)
}
