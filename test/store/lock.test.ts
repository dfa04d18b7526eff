import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { acquireLock } from '../../src/server/store/lock.ts'
import { bundleChildren } from './children/bundle.ts'
import { startChild } from './children/child.ts'
import { useTempFolder } from './temp-folder.ts'

const folder = useTempFolder()
let child: (name: string) => string

beforeAll(async () => {
  const programs = join(folder(), 'programs')
  mkdirSync(programs)
  child = await bundleChildren(programs)
})

const taken = {
  ok: false,
  error: { code: 'taken', message: expect.stringContaining('another Tandem server uses') },
}

describe('the lock of a data folder', () => {
  test('[STORE23] one process holds it; another is told at once, and gets it as soon as the first was killed', async () => {
    const data = join(folder(), 'killed')
    const first = startChild(child('lock'), [data])
    await first.wrote(1)
    const began = performance.now()
    expect(acquireLock(data)).toEqual(taken)
    // Far above what asking takes on a busy machine, far below the store's own wait of 5 s.
    expect(performance.now() - began).toBeLessThan(2_500)
    const second = startChild(child('lock'), [data])
    expect((await second.gone).lines).toEqual(['taken'])
    first.kill()
    expect((await first.gone).lines).toEqual(['held'])
    const mine = acquireLock(data)
    expect(mine.ok).toBe(true)
    const third = startChild(child('lock'), [data])
    expect((await third.gone).lines).toEqual(['taken'])
    if (mine.ok) mine.value.release()
  })

  test('[STORE23] asking in vain in the same process does not loosen it; releasing does', async () => {
    const data = join(folder(), 'same')
    const mine = acquireLock(data)
    expect(acquireLock(data)).toEqual(taken)
    const other = startChild(child('lock'), [data])
    expect((await other.gone).lines).toEqual(['taken'])
    if (mine.ok) mine.value.release()
    const again = acquireLock(data)
    expect(again.ok).toBe(true)
    if (again.ok) again.value.release()
    expect(statSync(join(data, 'server.lock')).mode & 0o777).toBe(0o600)
  })
})
