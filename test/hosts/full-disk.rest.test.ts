// needs: root
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/protocol/http/routes.ts'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { tempFolder } from '../support/temp.ts'
import { startWorld } from '../support/world.ts'
import { answered } from './support/answered.ts'

/** What a server needs to start: an index beside the database, and the file that says where it is. */
const startBytes = 128 * 1024

/** Until not a byte more fits. */
function fill(file: string): void {
  for (let bytes = 1 << 20; bytes > 0; bytes >>= 1)
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes))
    } catch {
      // Something smaller may fit.
    }
}

test('[HOST25] a disk that is full at the start blocks neither other sessions nor the end of the server, and with room all goes on', async () => {
  const temp = await tempFolder()
  const disk = join(temp.path, 'disk')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0700', 'tmpfs', disk])
  onTestFinished(async () => {
    execFileSync('umount', ['--lazy', disk])
    await temp.remove()
  })
  const { server, model, close } = await startWorld({ env: { TANDEM_HOME: disk } })
  onTestFinished(close)
  const other = await server.session()
  const cut = await server.session()
  // To close it takes more room than there will be.
  const half = 'x'.repeat(500_000)
  model.say({ pieces: [half], ending: new Promise(() => {}) })
  await cut.send('go on')
  await server.savedDraft(cut.id, half)
  await server.kill()
  // Whoever closes the database last leaves nothing beside it that could be written over.
  await openSqliteStore({ file: join(disk, 'tandem.db') }).close()
  const filler = join(disk, 'filler')
  fill(filler)
  truncateSync(filler, statSync(filler).size - startBytes)
  await server.restart()
  const look = (id: string) => server.client.call(routes.session, { params: { id } })
  expect((await look(other.id)).id).toBe(other.id)
  expect(await answered(look(cut.id))).toBe(true)
  await expect(look(cut.id)).rejects.toThrow()
  const exit = once(server.process, 'exit')
  await server.client.call(routes.shutdown, { body: {} })
  expect(await answered(exit)).toBe(true)
  rmSync(filler)
  await server.restart()
  const again = server.reopen(cut)
  expect(await again.until('agent_end')).toMatchObject({ reason: 'failed' })
})
