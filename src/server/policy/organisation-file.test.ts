import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readOrganisation } from './organisation-file.ts'

const me = process.getuid?.() ?? 0

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'tandem-etc-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  chmodSync(path, 0o755)
  const file = join(path, 'policy.json')
  const put = (text: string, mode = 0o644) => {
    writeFileSync(file, text)
    chmodSync(file, mode)
  }
  return { path, file, put }
}

const rules = { deny: [{ program: 'curl', reason: 'no' }] }

test('[APP73] rules count if their owner alone can write them; else they are ignored, with the reason', async () => {
  const { path, file, put } = folder()
  expect(await readOrganisation(file, me)).toEqual({ organisation: null, problem: null })
  put(JSON.stringify(rules))
  expect(await readOrganisation(file, me)).toEqual({ organisation: rules, problem: null })
  for (const mode of [0o664, 0o646, 0o666]) {
    put(JSON.stringify(rules), mode)
    expect(await readOrganisation(file, me)).toMatchObject({
      organisation: null,
      problem: expect.stringContaining('others than root can write'),
    })
  }
  put(JSON.stringify(rules))
  chmodSync(path, 0o777)
  expect((await readOrganisation(file, me)).organisation).toBeNull()
  chmodSync(path, 0o755)
  const link = join(path, 'link.json')
  symlinkSync(file, link)
  expect((await readOrganisation(link, me)).problem).toContain('link')
  mkdirSync(join(path, 'sub'))
  expect((await readOrganisation(join(path, 'sub'), me)).organisation).toBeNull()
})

test('[APP73] rules of somebody else than root do not count', async () => {
  const { file, put } = folder()
  put(JSON.stringify(rules))
  if (me === 0) {
    const { chownSync } = await import('node:fs')
    chownSync(file, 12_345, 12_345)
  }
  expect(await readOrganisation(file)).toMatchObject({
    organisation: null,
    problem: expect.stringContaining('root does not own'),
  })
})

test.each([
  ['{', 'no JSON'],
  ['{"deny":[{"program":"curl"}]}', 'reason'],
  ['{"denny":[]}', 'denny'],
  ['{"maxMode":{"mode":"yolo","reason":"x"}}', 'mode'],
])('[APP73] rules of root that nobody can read, as %s, make everything ask', async (text, why) => {
  const { file, put } = folder()
  put(text)
  const { organisation, problem } = await readOrganisation(file, me)
  expect(organisation?.maxMode?.mode).toBe('ask-all')
  expect(problem).toContain(why)
})
