// needs: root
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../support/server.ts'

/** Takes all the room there is, to the last byte. */
function fill(folder: string): () => void {
  const files: string[] = []
  for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 4)) {
    for (let isFull = false; !isFull;) {
      const file = join(folder, `filler-${files.length}`)
      files.push(file)
      try {
        writeFileSync(file, Buffer.alloc(size))
      } catch {
        isFull = true
      }
    }
  }
  return () => {
    for (const file of files) rmSync(file, { force: true })
  }
}

test('[TERM230] a run that ends on a full disk is not silent about it, and ends when there is room again', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'tandem-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
  const server = await startServer({ env: { TANDEM_HOME: join(disk, 'tandem') } })
  onTestFinished(async () => {
    await server.close()
    execFileSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true, force: true })
  })
  const session = await server.session()
  await session.run('true')
  const go = join(server.workspace, 'go')
  execFileSync('mkfifo', [go])
  await session.send(`!read -r _ < ${go}; seq 1 20000; echo over`)
  await session.until('run_start', 2)
  const free = fill(disk)
  writeFileSync(go, 'on\n')
  await session.untilDelta((delta) => delta.type === 'tool_update' && delta.status === 'disk_full')
  expect(session.all('run_end')).toHaveLength(1)
  free()
  expect(await session.until('run_end', 2)).toMatchObject({ outcome: 'ended', exitCode: 0 })
  expect((await session.until('tool_response', 2)).content).toMatch(/^over$/m)
  expect((await session.run('echo on')).content).toMatch(/^on$/m)
})
