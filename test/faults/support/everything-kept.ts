import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TestServer } from '../../support/server.ts'

/** Where holders put what is on its way into a shell. */
const privateFolder = `/dev/shm/tandem-${process.getuid?.() ?? 0}`

/** All that a server and its holders have on disk: database, its log, byte logs, diagnostics. */
export async function everythingKept(server: TestServer): Promise<readonly Buffer[]> {
  const folders = [dirname(server.home), privateFolder].filter((folder) => existsSync(folder))
  const files: string[] = []
  for (const folder of folders)
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) files.push(join(entry.parentPath, entry.name))
  // In order, so that what is cut between two parts of a byte log is whole here, too.
  files.sort()
  // A file of somebody else's holder may go meanwhile.
  const read = files.map((path) => readFile(path).catch(() => Buffer.alloc(0)))
  const parts = await Promise.all(read)
  const logs = parts.filter((_, index) => files[index]!.endsWith('.log'))
  return [...parts, Buffer.concat(logs)]
}
