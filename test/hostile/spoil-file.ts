import { join } from 'node:path'
import { expect } from 'vitest'
import type { Client } from '../../src/client/wire/connect.ts'
import { refusalOf } from '../../src/client/wire/client-error.ts'
import { routes } from '../../src/protocol/http/routes.ts'
import { openTestSession } from '../support/session.ts'
import type { DataFolder } from './data-folder.ts'
import type { FileRow } from './file-rows.ts'
import { answerMs } from './witness.ts'

/**
 * Starts a server on a data folder with one bad file: it refuses in a sentence with the file's name and something to
 * do, or it serves all there is, and leaves nothing behind.
 */
export async function startOn(
  folder: DataFolder,
  row: FileRow,
  { name, spoil }: { name: string; spoil(path: string): void },
): Promise<void> {
  folder.restore()
  const path = join(folder.root, row.path(folder))
  spoil(path)
  const started = await within(folder.start(), `${name}: start`)
  const { said } = started
  try {
    if ('error' in said) {
      // SQLite's own files go by the name of their database.
      expect(said.error, name).toContain(path.replace(/-wal$/, ''))
      expect(said.error, `${name}: no advice`).toMatch(/[.:?] [A-Z][^.]+\.$/)
      expect(said.error + started.errors, `${name}: a stack`).not.toMatch(/\n\s*at |node:internal/)
    } else if (started.client !== null) {
      await expectServes(folder, { client: started.client, said, name })
    }
  } finally {
    await started.end()
  }
  expect(started.errors, `${name}: said on stderr`).toBe('')
}

async function expectServes(
  folder: DataFolder,
  { client, said, name }: { client: Client; said: { url: string; token: string }; name: string },
): Promise<void> {
  const { session: id, run, oneShot, workspace } = folder
  const params = { id }
  const faults: string[] = []
  const look = async (what: string, asked: Promise<unknown>) => {
    const answer = within(asked, `${name}: ${what}`)
    await answer.catch((error: unknown) => {
      const refusal = refusalOf(error)
      if (refusal === null || refusal.code === 'internal') faults.push(`${what}: ${String(error)}`)
    })
  }
  await look('health', client.call(routes.health, {}))
  await look('sessions', client.call(routes.sessions, {}))
  await look('session', client.call(routes.session, { params }))
  await look('log', client.call(routes.log, { params }))
  await look('run', client.call(routes.run, { params: { id, run } }))
  await look('output', client.call(routes.runOutput, { params: { id, run } }))
  await look(
    'one-shot',
    client.call(routes.shellResult, { params: { team: 'default', id: oneShot } }),
  )
  await look('skills', client.call(routes.skills, { query: { folder: workspace } }))
  await look('commands', client.call(routes.commands, { params }))
  await look('browsers', client.call(routes.browsers, {}))
  for (const format of ['md', 'cast'] as const)
    await look(`export ${format}`, exported(said, id, format))
  await look('a run', ranIn(client, id))
  const another = async () => {
    const made = await client.call(routes.createSession, { body: { workspace } })
    await ranIn(client, made.id)
  }
  await look('a run in a new session', another())
  expect(faults, name).toEqual([])
}

async function exported(
  { url, token }: { url: string; token: string },
  id: string,
  format: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/v1/sessions/${id}/export?format=${format}`, { headers })
  const text = await answer.text()
  if (answer.status >= 500) throw new Error(text)
}

/** A command that could not run is told so, with the file and what to do about it. */
async function ranIn(client: Client, id: string): Promise<void> {
  await client.call(routes.session, { params: { id } })
  const session = openTestSession(client, id)
  const { content } = await session.run('echo h"i"')
  session.close()
  if (
    !/\nhi\n|\[not run: (cannot \w+ \/.* Remove it\.|The shell's holder did not start: )/.test(
      content,
    )
  )
    throw new Error(content)
}

export function within<T>(work: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${what}: hangs`)), answerMs)
    work.then(resolve, reject).finally(() => clearTimeout(late))
  })
}
