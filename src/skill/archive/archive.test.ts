import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paxEntry, tarBytes, type TarEntry } from '../../../test/skills/support/tar-bytes.ts'
import { zipBytes, type ZipEntry } from '../../../test/skills/support/zip-bytes.ts'
import { attempt } from './bad-archive.ts'
import { readArchive } from './open-source.ts'

const skillText = '---\nname: tidy\ndescription: Tidies up.\n---\n\nDo it.\n'
const skill = { name: 'tidy/SKILL.md', data: skillText }
const open = (bytes: Buffer) => attempt(() => readArchive(bytes))
const megabyte = 1024 * 1024

async function refusal(bytes: Buffer): Promise<string> {
  const opened = await open(bytes)
  if (opened.ok) throw new Error('it was taken')
  return opened.error
}

test('[ARC1] an archive gives one skill, at its top or in one folder', async () => {
  const top = [
    { name: 'SKILL.md', data: skillText },
    { name: 'a/b.txt', data: 'b' },
  ]
  const folder = [
    { name: 'tidy/', type: '5', mode: 0o040755 },
    skill,
    { name: 'tidy/a/b.txt', data: 'b' },
  ]
  const dotted = [
    { name: './', type: '5', mode: 0o040755 },
    ...top.map((entry) => ({ ...entry, name: `./${entry.name}` })),
  ]
  for (const entries of [top, folder, dotted])
    for (const bytes of [
      tarBytes(entries),
      gzipSync(tarBytes(entries)),
      zipBytes(withZipModes(entries)),
    ])
      expect(await open(bytes)).toMatchObject({
        ok: true,
        value: {
          name: 'tidy',
          files: [{ path: 'SKILL.md' }, { path: 'a/b.txt', bytes: Buffer.from('b') }],
        },
      })
})

function withZipModes(entries: readonly TarEntry[]): readonly ZipEntry[] {
  return entries.map(({ name, data = '', type = '0' }) => ({
    name,
    data,
    mode: type === '5' ? 0o040755 : 0o100644,
  }))
}

const badPaths = {
  'leads upwards': ['../x', 'tidy/../../x', '..', 'tidy/..'],
  'is absolute': ['/etc/x', '//x'],
  'has a backslash': ['tidy\\x', '..\\x'],
  'drive letter': ['c:x', 'C:/x', 'tidy/c:', 'tidy/a/D:x'],
  'has an empty part': ['tidy//x', 'tidy/./x', '././x', ''],
  'has a control character': ['tidy/a\u001b[31m', 'tidy/a\nb', 'tidy/\u202ex'],
  'too long': [`tidy/${'x/'.repeat(250)}y`, `tidy/${'é'.repeat(140)}`],
}

test.each(Object.entries(badPaths).flatMap(([why, paths]) => paths.map((path) => [path, why])))(
  '[ARC2] an archive with the path %j is refused whole',
  async (path, why) => {
    expect(await refusal(zipBytes([skill, { name: path }]))).toContain(why)
    expect(await refusal(tarBytes([skill, paxEntry({ path }), { name: 'x' }]))).toContain(why)
    expect(
      await refusal(
        tarBytes([skill, { name: 'name', type: 'L', data: `${path}\0` }, { name: 'x' }]),
      ),
    ).toContain(why)
  },
)

test('[ARC2] a NUL in a name is refused, for two programs would read two names', async () => {
  expect(await refusal(zipBytes([skill, { name: 'tidy/a\0.txt' }]))).toContain('control character')
  const named = [paxEntry({ path: 'tidy/a\0b' }), { name: 'x' }]
  expect(await refusal(tarBytes([skill, ...named]))).toContain('control character')
})

test.each([
  ['1', 'a hard link'],
  ['2', 'a symbolic link'],
  ['3', 'a device'],
  ['4', 'a device'],
  ['6', 'a pipe'],
  ['7', 'something unknown'],
  ['S', 'something unknown'],
  ['K', 'something unknown'],
])('[ARC2] a tar file with an entry of type %s is refused whole', async (type, what) => {
  const entry = { name: 'tidy/x', type, linkName: 'SKILL.md' }
  expect(await refusal(tarBytes([skill, entry]))).toContain(what)
  expect(await refusal(gzipSync(tarBytes([skill, entry])))).toContain(what)
})

test('[ARC2] a zip file with a link, a device or a folder with data is refused whole', async () => {
  for (const mode of [0o120777, 0o020644, 0o060644, 0o010644, 0o140644])
    expect(await refusal(zipBytes([skill, { name: 'tidy/x', data: '/etc', mode }]))).toContain(
      'a link or a device',
    )
  expect(await refusal(zipBytes([skill, { name: 'tidy/x', mode: 0o040755 }]))).toContain('both')
  expect(await refusal(zipBytes([skill, { name: 'tidy/x/', data: 'x', mode: 0 }]))).toContain(
    'has data',
  )
  expect(await refusal(tarBytes([skill, { name: 'tidy/x/', type: '5', data: 'x' }]))).toContain(
    'has data',
  )
})

test.each([
  ['tidy/a', 'tidy/A', 'one name on some disks'],
  ['tidy/é', 'tidy/e\u0301', 'one name on some disks'],
  ['tidy/ß', 'tidy/SS', 'one name on some disks'],
  ['tidy/x/a', 'tidy/X/b', 'one name on some disks'],
  ['tidy/skill.md', 'tidy/b', 'one name on some disks'],
  ['tidy/a', 'tidy/a', 'is there twice'],
  ['tidy/a', 'tidy/a/b', 'both a file and a folder'],
  ['tidy/a/b', 'tidy/a', 'both a file and a folder'],
])('[ARC2] %j beside %j is refused whole', async (one, other, why) => {
  expect(await refusal(zipBytes([skill, { name: one }, { name: other }]))).toContain(why)
  expect(await refusal(tarBytes([skill, { name: one }, { name: other }]))).toContain(why)
})

test('[ARC7] a bomb is refused while it is unpacked, whatever its headers say', async () => {
  const zeros = Buffer.alloc(6 * megabyte)
  expect(await refusal(zipBytes([skill, { name: 'tidy/x', data: zeros, size: 10 }]))).toContain(
    'times its size',
  )
  expect(await refusal(gzipSync(tarBytes([skill, { name: 'tidy/x', data: zeros }])))).toContain(
    'far more',
  )
  expect(await refusal(tarBytes([skill, { name: 'tidy/x', data: zeros }]))).toContain(
    'more than 5 MB',
  )
  expect(
    await refusal(zipBytes([skill, { name: 'tidy/x', data: zeros, deflated: false }])),
  ).toContain('more than 5 MB')
  const many = Array.from({ length: 5 }, (_, at) => ({
    name: `tidy/${at}`,
    data: zeros.subarray(0, 4.5 * megabyte),
    deflated: false,
  }))
  expect(await refusal(zipBytes([skill, ...many]))).toContain('more than 20 MB')
  const files = Array.from({ length: 2_000 }, (_, at) => ({ name: `tidy/${at}` }))
  expect(await refusal(zipBytes([skill, ...files]))).toContain('more than 2000 files')
  expect(await refusal(tarBytes([skill, ...files]))).toContain('more than 2000 files')
})

test('[ARC7] what one program could read in another way than the next is refused', async () => {
  const cases: [Buffer, string][] = [
    [zipBytes([{ ...skill, crc: 1 }]), 'is damaged'],
    [zipBytes([{ ...skill, size: 3 }]), 'is damaged'],
    [zipBytes([{ ...skill, deflated: false, size: 3 }]), 'is damaged'],
    [zipBytes([{ ...skill, localName: 'tidy/OTHER.md' }]), 'is damaged'],
    [zipBytes([{ ...skill, offset: 5 }]), 'is damaged'],
    [zipBytes([skill, { name: 'tidy/SKILL.md', offset: 0, data: skillText }]), 'share their bytes'],
    [zipBytes([{ ...skill, flags: 1 }]), 'is encrypted'],
    [zipBytes([{ ...skill, flags: 0x20 }]), 'is a patch'],
    [zipBytes([{ ...skill, method: 14 }]), 'not taken (14)'],
    [zipBytes([{ ...skill, name: Buffer.from([0x74, 0xff]) }]), 'not in UTF-8'],
    [zipBytes([skill], { before: Buffer.from('#!/bin/sh\n') }), 'neither a folder nor'],
    [zipBytes([skill], { before: Buffer.from('PK junk') }), 'before its first file'],
    [zipBytes([skill], { after: Buffer.from('x') }), 'behind its end'],
    [zipBytes([skill], { comment: zipBytes([skill]) }), 'two ends'],
    [zipBytes([skill], { disk: 1 }), 'one part of several'],
    [tarBytes([skill]).subarray(0, -1024), 'cut off'],
    [tarBytes([skill]).subarray(0, -512), 'cut off'],
    [tarBytes([skill]).subarray(0, 600), 'cut off'],
    [Buffer.concat([tarBytes([skill]), tarBytes([skill])]), 'behind its end'],
    [tarBytes([{ ...skill, size: 100_000 }]), 'cut off'],
    [tarBytes([paxEntry({ size: '5' }), skill]), '"size", which is not taken'],
    [tarBytes([paxEntry({ linkpath: '/etc' }), skill]), '"linkpath", which is not taken'],
    [tarBytes([paxEntry({ 'GNU.sparse.major': '1' }), skill]), 'which is not taken'],
    [tarBytes([paxEntry({ path: 'x' }, 'g'), skill]), 'one name'],
    [tarBytes([skill, paxEntry({ path: 'x' })]), 'cut off'],
    [gzipSync(tarBytes([skill])).subarray(0, -1), 'damaged or cut off'],
    [Buffer.concat([gzipSync(tarBytes([skill])), Buffer.from('x')]), 'damaged or cut off'],
    [Buffer.from(''), 'neither a folder nor'],
  ]
  for (const [bytes, why] of cases) expect(await refusal(bytes)).toContain(why)
  expect(await open(zipBytes([skill], { comment: Buffer.from('made by hand') }))).toMatchObject({
    ok: true,
  })
  expect(await open(tarBytes([paxEntry({ comment: 'c0ffee' }, 'g'), skill]))).toMatchObject({
    ok: true,
  })
})

test.each([
  ['it has no SKILL.md', [{ name: 'tidy/README.md' }]],
  ['2 files SKILL.md', [skill, { name: 'tidy/more/SKILL.md', data: skillText }]],
  ['2 files SKILL.md', [skill, { name: 'other/SKILL.md', data: skillText }]],
  ['neither at its top', [{ name: 'a/tidy/SKILL.md', data: skillText }]],
  ['neither at its top', [{ name: 'tidy/skill.md', data: skillText }]],
  ['outside the skill’s folder', [skill, { name: 'README.md' }]],
  ['its name is tidy, but its folder is other', [{ name: 'other/SKILL.md', data: skillText }]],
  ['it has no description', [{ name: 'SKILL.md', data: '---\nname: tidy\n---\n' }]],
  ['is no name for a skill', [{ name: 'SKILL.md', data: skillText.replace('tidy', '../tidy') }]],
  ['not text in UTF-8', [{ name: 'SKILL.md', data: Buffer.from([0xff]) }]],
])('[ARC1] refused, because: %s', async (why, entries) => {
  expect(await refusal(tarBytes(entries))).toContain(why)
  expect(await refusal(zipBytes(entries))).toContain(why)
})

test('[ARC1] what macOS puts beside the files is left out', async () => {
  const litter = [{ name: '__MACOSX/tidy/._SKILL.md' }, { name: 'tidy/.DS_Store' }]
  expect(await open(zipBytes([skill, ...litter]))).toMatchObject({
    ok: true,
    value: { files: [{ path: 'SKILL.md' }] },
  })
})

const hostileName = fc.oneof(
  fc
    .array(
      fc.constantFrom('..', '.', '', 'a', 'A', 'tidy', '/', '\\', 'c:', 'é', 'e\u0301', '\0', ' '),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('/')),
  fc.string({ maxLength: 40 }),
)

test('[ARC2] whatever entries an archive has, what is taken stays below its folder, each file in a place of its own', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(hostileName, fc.constantFrom('0', '5', '2')), { maxLength: 5 }),
      fc.boolean(),
      async (entries, isZip) => {
        const made = entries.map(([name, type]) => ({
          name,
          type,
          mode: { 0: 0o100644, 5: 0o040755, 2: 0o120777 }[type] ?? 0,
        }))
        const bytes = isZip ? zipBytes([skill, ...made]) : tarBytes([skill, ...made])
        const opened = await open(bytes)
        if (!opened.ok) return
        const paths = opened.value.files.map(({ path }) => path)
        expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(
          paths.length,
        )
        for (const path of paths) {
          expect(path).not.toMatch(/^\/|\\|^[a-z]:|[\0-\x1f]/i)
          expect(path.split('/')).not.toEqual(expect.arrayContaining(['..']))
        }
      },
    ),
    { numRuns: 500 },
  ))

test('[ARC7] a zip file with changed bytes gives the same files or none', () => {
  const files = [
    skill,
    { name: 'tidy/a.txt', data: 'some text, some text, some text' },
    { name: 'tidy/b', data: 'b', deflated: false },
  ]
  const good = zipBytes(files)
  const expected = { 'SKILL.md': skillText, 'a.txt': files[1]!.data, b: 'b' }
  return fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }),
      async (changes) => {
        const bytes = Buffer.from(good)
        for (const [at, value] of changes) bytes[at] = value
        const opened = await open(bytes)
        if (!opened.ok) return
        const found = opened.value.files.map(({ path, bytes }) => [path, bytes.toString()])
        expect(Object.fromEntries(found)).toEqual(expected)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('[ARC7] bytes that are no archive are refused, never a fault', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.constantFrom(
        Buffer.alloc(0),
        Buffer.from('PK\u0005\u0006', 'latin1'),
        Buffer.from([0x1f, 0x8b]),
        tarBytes([skill]).subarray(0, 512),
      ),
      async (random, start) => {
        const opened = await open(Buffer.concat([start, random]))
        expect(typeof (opened.ok ? '' : opened.error)).toBe('string')
        expect(opened.ok && start.length === 0).toBe(false)
      },
    ),
    { numRuns: 500 },
  ))
