import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillLimits } from '../../src/protocol/skill-limits.ts'
import { discoverSkills, findSkills, hiddenSkills } from '../../src/skill/discover.ts'
import { readSkill } from '../../src/skill/read-skill.ts'
import { skillHome } from './support/skill-home.ts'

test('[SKILL8] a project’s skill goes before a user’s, an earlier folder before a later, and all are sorted by name', async () => {
  const made = await skillHome()
  const folders = [
    'work/.tandem/skills',
    'work/.agents/skills',
    'work/.claude/skills',
    'home/.config/tandem/skills',
    'home/.agents/skills',
    'home/.claude/skills',
  ]
  // The first is in every folder, the second in all but the first, and so on.
  for (const [at, folder] of folders.entries())
    for (const name of ['f', 'e', 'd', 'c', 'b', 'a'].slice(0, at + 1))
      await made.addSkill(folder, name, { description: `From ${folder}.` })
  const found = await discoverSkills(made.place)
  expect(found.map(({ name, source, description }) => [name, source, description])).toEqual([
    ['a', 'user', 'From home/.claude/skills.'],
    ['b', 'user', 'From home/.agents/skills.'],
    ['c', 'user', 'From home/.config/tandem/skills.'],
    ['d', 'project', 'From work/.claude/skills.'],
    ['e', 'project', 'From work/.agents/skills.'],
    ['f', 'project', 'From work/.tandem/skills.'],
  ])
  expect(found[5]).toMatchObject({ path: join(made.workspace, '.tandem/skills/f') })
  const elsewhere = { ...made.place, env: { ...made.place.env, XDG_CONFIG_HOME: '/nowhere' } }
  expect((await discoverSkills(elsewhere)).map(({ name }) => name)).toContain('b')
  expect((await discoverSkills(elsewhere)).find(({ name }) => name === 'c')?.description).toContain(
    '.agents',
  )
})

test('[SKILL8] in a folder that is not trusted no skill of the project counts, and it is known which are hidden', async () => {
  const made = await skillHome({ trusted: false })
  await made.addSkill('work/.claude/skills', 'evil')
  await made.addSkill('home/.claude/skills', 'mine')
  expect((await discoverSkills(made.place)).map(({ name }) => name)).toEqual(['mine'])
  expect(await hiddenSkills(made.place)).toEqual(['evil'])
  expect(await hiddenSkills({ ...made.place, trusted: true })).toEqual([])
  expect(await hiddenSkills({ ...made.place, workspace: made.home })).toEqual([])
})

const broken: Record<string, [string, string]> = {
  'no-start': ['Just text.', 'does not begin with'],
  'no-yaml': ['---\nname: [\n---\n', 'is no YAML'],
  'other-name': ['---\nname: another\ndescription: x\n---\n', 'they must be the same'],
  Upper: ['---\nname: Upper\ndescription: x\n---\n', 'is no name for a skill'],
  'two--hyphens': ['---\nname: two--hyphens\ndescription: x\n---\n', 'is no name for a skill'],
  'no-description': ['---\nname: no-description\n---\n', 'it has no description'],
  'long-description': [
    `---\nname: long-description\ndescription: ${'x'.repeat(1_025)}\n---\n`,
    '1025 characters',
  ],
  'not-text': ['\u0000', 'does not begin with'],
}

test.each(Object.entries(broken))(
  '[SKILL8] the broken skill %s is skipped, and told what is wrong with it',
  async (name, [text, why]) => {
    const made = await skillHome()
    await made.addSkill('work/.tandem/skills', 'sound')
    await made.write(`work/.tandem/skills/${name}/SKILL.md`, text)
    await mkdir(join(made.workspace, '.tandem/skills/.hidden'))
    expect((await discoverSkills(made.place)).map((skill) => skill.name)).toEqual(['sound'])
    const found = (await findSkills(made.place)).filter(({ skill }) => !skill.ok)
    expect(found).toMatchObject([{ entry: name, skill: { error: expect.stringContaining(why) } }])
  },
)

test('[SKILL8] a link in a project may not lead out of the workspace, nor a SKILL.md out of its folder; a user’s may', async () => {
  const made = await skillHome()
  await made.addSkill('outside', 'away')
  await made.addSkill('work/shared', 'inside')
  for (const root of ['work/.tandem/skills', 'home/.claude/skills']) {
    await mkdir(join(made.root, root, 'linked'), { recursive: true })
    await symlink(join(made.root, 'outside/away'), join(made.root, root, 'away'))
    await made.write('outside/linked', '---\nname: linked\ndescription: x\n---\n')
    await symlink(join(made.root, 'outside/linked'), join(made.root, root, 'linked/SKILL.md'))
  }
  await symlink('../../shared/inside', join(made.workspace, '.tandem/skills/inside'))
  await symlink(join(made.root, 'outside'), join(made.workspace, '.claude'))
  await symlink('nowhere', join(made.workspace, '.tandem/skills/dangling'))
  const found = await discoverSkills(made.place)
  expect(found.map(({ name, source }) => [name, source])).toEqual([
    ['away', 'user'],
    ['inside', 'project'],
    ['linked', 'user'],
  ])
  expect(await readSkill(found[1]!)).toMatchObject({ ok: true })
})

test('[SKILL8] a skill that became a link since it was found is not read', async () => {
  const made = await skillHome()
  await made.addSkill('outside', 'tidy', { body: 'secret' })
  await made.addSkill('work/.tandem/skills', 'tidy')
  const [found] = await discoverSkills(made.place)
  execFileSync('rm', ['-r', found!.path])
  await symlink(join(made.root, 'outside/tidy'), found!.path)
  expect(await readSkill(found!)).toMatchObject({
    ok: false,
    error: expect.stringContaining('not at'),
  })
})

test('[SKILL8] discovery is bounded: large files, pipes and endless folders cost nothing', async () => {
  const made = await skillHome()
  const large = await made.addSkill('work/.tandem/skills', 'large')
  await truncate(large, skillLimits.fileBytes + 1)
  await mkdir(join(made.workspace, '.tandem/skills/pipe'))
  execFileSync('mkfifo', [join(made.workspace, '.tandem/skills/pipe/SKILL.md')])
  await symlink('.', join(made.workspace, '.tandem/skills/loop'))
  for (let at = 0; at < skillLimits.skills + 5; at += 1)
    await made.addSkill('home/.claude/skills', `s${at}`)
  const found = await discoverSkills(made.place)
  expect(found).toHaveLength(skillLimits.skills)
  const errors = (await findSkills(made.place)).flatMap(({ entry, skill }) =>
    skill.ok ? [] : [[entry, skill.error]],
  )
  expect(errors).toEqual([
    ['large', expect.stringContaining('is larger than')],
    ['loop', expect.stringContaining('is not there')],
    ['pipe', expect.stringContaining('is not a regular file')],
  ])
})

test('[SKILL14] activation gives the name, the folder, the other files and the body, each bounded and counted', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'tidy', { body: 'First \u001b[31mread\u0007 this.' })
  await made.write('work/.tandem/skills/tidy/references/a.md', 'a')
  await made.write('work/.tandem/skills/tidy/run.sh', 'b')
  const [tidy] = await discoverSkills(made.place)
  expect(await readSkill(tidy!)).toEqual({
    ok: true,
    value: `Skill tidy, in the folder ${tidy!.path}\nIts other files:\n- references/a.md\n- run.sh\n\nFirst [31mread this.`,
  })
  const chars = skillLimits.bodyChars + 7
  await made.addSkill('work/.tandem/skills', 'tidy', { body: 'x'.repeat(chars) })
  for (let at = 0; at < skillLimits.listedFiles; at += 1)
    await made.write(`work/.tandem/skills/tidy/f/${at}`, '')
  const long = await readSkill(tidy!)
  expect(long.ok && long.value).toContain('\n- and more\n')
  expect(
    long.ok &&
      long.value.endsWith(`${'x'.repeat(skillLimits.bodyChars)}\n[7 more characters in SKILL.md]`),
  ).toBe(true)
})
