import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from '../../support/server.ts'

/** The session's byte log as it is on disk; the holder writes it every 50 ms. */
export async function byteLog(server: TestServer, session: string): Promise<Buffer> {
  const folder = join(server.home, 'teams', 'default', 'sessions', session, 'pty')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log')).sort()
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))))
}

/** Every file under a folder that holds this text. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if ((await readFile(path)).includes(text)) found.push(path)
  }
  return found
}
