// needs: root
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { openSqliteStore } from '../../src/server/store/sqlite.ts'
import { failsAndRecovers, isIntact } from './full.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()

test('[STORE25] a full disk refuses an append as disk_full, keeps nothing of it, and works again with room', async () => {
  const disk = join(folder(), 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
  try {
    const file = join(disk, 'tandem.db')
    const filler = join(disk, 'filler')
    const store = openSqliteStore({ file })
    writeFileSync(filler, 'x'.repeat(3_500_000))
    await failsAndRecovers(store, () => rmSync(filler))
    await store.close()
    isIntact(file)
  } finally {
    // Lazily: the driver keeps the file open until its statements are collected.
    execFileSync('umount', ['--lazy', disk])
  }
})
