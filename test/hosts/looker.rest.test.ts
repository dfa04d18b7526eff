import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../src/protocol/limits.ts'
import { createLooker } from '../../src/server/looker/looker.ts'
import { lookHere } from '../../src/server/looker/operations.ts'
import { childrenOf, untilGone } from '../faults/support/living.ts'
import { tempFolder } from '../support/temp.ts'

const entry = join(process.cwd(), 'dist', 'looker.js')
const preload = new URL('support/hung-mount.mjs', import.meta.url).href

const lookers = () =>
  childrenOf(process.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('looker.js'),
  )

test('[HOST10] the process that looks at files is replaced when it hangs, two are alive at most, and none when nobody asks', async () => {
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  const pipe = join(temp.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const query = new URLSearchParams({ name: '/hung', pipe })
  vi.stubEnv('NODE_OPTIONS', `--import=${preload}?${query}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { look, close } = createLooker({ entry, diagnose: () => undefined, idleMs: 100 })
  onTestFinished(close)
  expect(lookers()).toEqual([])
  for (let round = 0; round < 2; round += 1) {
    const hung = Array.from({ length: 8 }, (_, n) => look('folder', `/hung/${round}/${n}`))
    // Those that do not hang are answered beside the others.
    expect(await look('folder', temp.path)).toEqual({ ok: true, value: 'folder' })
    const [first] = await Promise.all(hung)
    expect(first).toEqual({ ok: false, error: 'the file system does not answer' })
    expect(await look('folder', join(temp.path, 'none'))).toEqual({ ok: true, value: 'missing' })
    expect(lookers().length).toBeLessThanOrEqual(2)
  }
  await untilGone(lookers())
  expect(lookers()).toEqual([])
})

test('[TYPE16] of a project’s long AGENTS.md head and tail are told', async () => {
  const temp = await tempFolder()
  onTestFinished(() => temp.remove())
  writeFileSync(join(temp.path, 'AGENTS.md'), `begin ${'x'.repeat(2 * limits.guideChars)} end`)
  const place = { workspace: temp.path, trusted: true, env: {} }
  const looked = await lookHere('world', place)
  const guide = looked.ok ? looked.value.guide : ''
  expect(guide).toMatch(/^\[AGENTS\.md of this project\]\nbegin x+[^]*x end$/)
  expect(guide.length).toBeLessThan(limits.guideChars + 100)
})
