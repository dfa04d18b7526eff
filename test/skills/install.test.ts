import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attempt } from '../../src/skill/archive/bad-archive.ts'
import { readArchive } from '../../src/skill/archive/open-source.ts'
import { installSkill } from '../../src/skill/commands/changing.ts'
import { expectAdded, type Maker, made, run } from './support/packed.ts'
import { richSkill, type SkillHome, skillHome } from './support/skill-home.ts'
import { tarBytes } from './support/tar-bytes.ts'
import { zipBytes } from './support/zip-bytes.ts'

/** Real programs that make archives, as people use them. */
const makers: Readonly<Record<string, Maker>> = {
  'tar -cf': (cwd) => made(cwd, 'a.tar', (to) => run(cwd, 'tar', '-cf', to, 'tidy')),
  'tar -czf': (cwd) => made(cwd, 'a.tar.gz', (to) => run(cwd, 'tar', '-czf', to, 'tidy')),
  'tar of the folder itself': (cwd) =>
    made(cwd, 'a.tgz', (to) => run(cwd, 'tar', '-czf', to, '-C', 'tidy', '.')),
  'tar --format=pax': (cwd) =>
    made(cwd, 'a.tar', (to) => run(cwd, 'tar', '--format=pax', '-cf', to, 'tidy')),
  'tar --format=ustar': (cwd) =>
    made(cwd, 'a.tar', (to) => run(cwd, 'tar', '--format=ustar', '-cf', to, 'tidy')),
  'git archive': (cwd) =>
    made(cwd, 'a.tar.gz', (to) => {
      run(cwd, 'git', 'init', '-q')
      run(cwd, 'git', 'add', 'tidy')
      run(cwd, 'git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x')
      run(cwd, 'git', 'archive', '-o', to, 'HEAD')
    }),
  'no program: the folder': (cwd) => join(cwd, 'tidy'),
}

test.each(Object.entries(makers))(
  '[ARC14] a skill packed by %s is added as it was',
  async (_name, make) => expectAdded(make),
)

test('[ARC14] a skill that is there is replaced only with --force, and then as a whole', async () => {
  const home = await skillHome()
  await richSkill(home, 'source', 'tidy')
  await home.addSkill('work/.tandem/skills', 'tidy', { body: 'old' })
  await home.write('work/.tandem/skills/tidy/old.md', 'old')
  expect(await home.skill('add', 'source/tidy')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Add --force to replace it'),
  })
  expect((await home.skill('show', 'tidy')).out).toContain('old.md')
  expect((await home.skill('add', 'source/tidy', '--force')).code).toBe(0)
  run(home.root, 'diff', '-r', 'source/tidy', join(home.workspace, '.tandem/skills/tidy'))
  expect(readdirSync(join(home.workspace, '.tandem/skills'))).toEqual(['tidy'])
})

test('[ARC14] when writing fails the old skill stays and nothing is left behind', async () => {
  const home = await skillHome()
  await home.addSkill('work/.tandem/skills', 'tidy', { body: 'old' })
  const root = join(home.workspace, '.tandem/skills')
  const file = (path: string) => ({ path, bytes: Buffer.from('x'), executable: false })
  // What no reader lets through: a file where a folder should be.
  expect(() => installSkill({ root, name: 'tidy', files: [file('a'), file('a/b')] })).toThrow()
  expect(readFileSync(join(root, 'tidy/SKILL.md'), 'utf8')).toContain('old')
  expect(readdirSync(root)).toEqual(['tidy'])
})

test('[ARC14] a refused archive or folder leaves everything as it was, with a sentence why', async () => {
  const home = await skillHome()
  const skill = { name: 'tidy/SKILL.md', data: '---\nname: tidy\ndescription: x\n---\n' }
  writeFileSync(join(home.root, 'up.tar'), tarBytes([skill, { name: 'tidy/../../up' }]))
  writeFileSync(
    join(home.root, 'link.tgz'),
    gzipSync(tarBytes([skill, { name: 'tidy/l', type: '2', linkName: '/etc' }])),
  )
  writeFileSync(join(home.root, 'abs.zip'), zipBytes([skill, { name: '/tmp/x' }]))
  await home.addSkill('folder', 'tidy')
  symlinkSync('/etc/passwd', join(home.root, 'folder/tidy/passwd'))
  const before = tree(home)
  for (const source of [
    'up.tar',
    'link.tgz',
    'abs.zip',
    'folder/tidy',
    'none.zip',
    'session',
    '/dev/zero',
  ])
    expect(await home.skill('add', source)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        new RegExp(`^skill: ${source} was not added: .*\\. Nothing was written\\.\n$`),
      ),
    })
  expect(tree(home)).toEqual(before)
})

function tree(home: SkillHome): readonly string[] {
  return run(home.root, 'find', '.').toString().split('\n').sort()
}

test('[ARC2] a folder of skills that leads out of the workspace is not written to', async () => {
  const home = await skillHome()
  await home.addSkill('source', 'tidy')
  mkdirSync(join(home.root, 'outside'))
  symlinkSync(join(home.root, 'outside'), join(home.workspace, '.tandem'))
  for (const words of [
    ['add', 'source/tidy'],
    ['new', 'fresh'],
  ])
    expect(await home.skill(...words)).toMatchObject({
      code: 1,
      err: expect.stringContaining('leads out of the workspace'),
    })
  expect(readdirSync(join(home.root, 'outside'))).toEqual([])
})

test('[ARC2] whatever an archive holds, what is written lies below its folder and is a file', async () => {
  const home = await skillHome()
  const skill = { name: 'SKILL.md', data: '---\nname: tidy\ndescription: x\n---\n' }
  const part = fc.constantFrom('..', '.', 'a', 'B', 'tidy', 'é', '\\', 'c:', ' ', '~', '$HOME')
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const root = join(home.workspace, '.tandem/skills')
  const outside = tree(home).length
  await fc.assert(
    fc.asyncProperty(fc.array(path, { maxLength: 4 }), fc.boolean(), async (paths, isZip) => {
      const entries = [skill, ...paths.map((name) => ({ name, data: 'x' }))]
      const opened = await attempt(() => readArchive(isZip ? zipBytes(entries) : tarBytes(entries)))
      if (opened.ok) {
        installSkill({ root, ...opened.value })
        const found = run(root, 'find', 'tidy', '-type', 'f').toString().trim().split('\n')
        expect(found).toHaveLength(entries.length)
        expect(run(root, 'find', 'tidy', '!', '-type', 'f', '!', '-type', 'd').toString()).toBe('')
        expect(readdirSync(root)).toEqual(['tidy'])
        run(root, 'rm', '-r', 'tidy')
      }
    }),
    { numRuns: 100 },
  )
  // Beside the two folders that skills are in.
  expect(tree(home).length).toBe(outside + 2)
})
