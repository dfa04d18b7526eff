import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { zipBytes } from '../../../test/skills/support/zip-bytes.ts'
import { attempt } from './bad-archive.ts'
import { skillLimits } from '../../protocol/skill-limits.ts'
import { openSource, readArchive } from './open-source.ts'

const skill = {
  name: 'tidy/SKILL.md',
  data: '---\nname: tidy\ndescription: Tidies up.\n---\n\nDo it.\n',
}
const open = (bytes: Buffer) => attempt(() => readArchive(bytes))

test('[ARC2] a path has a bound', async () => {
  const long = (chars: number) => `tidy/${'d/'.repeat(chars / 2)}`.slice(0, chars - 1) + 'f'
  const { pathChars } = skillLimits
  expect(await open(zipBytes([skill, { name: long(pathChars) }]))).toMatchObject({ ok: true })
  expect(await open(zipBytes([skill, { name: long(pathChars + 2) }]))).toMatchObject({
    ok: false,
    error: expect.stringContaining('is too long'),
  })
})

test('[ARC7] of an archive that is too large nothing is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'large.zip')
  writeFileSync(file, zipBytes([skill]))
  expect(await openSource(file)).toMatchObject({ ok: true })
  truncateSync(file, skillLimits.archiveBytes + 1)
  expect(await openSource(file)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^it .*(?:large|more than)/),
  })
})
