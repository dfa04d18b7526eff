import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillBin, createSkillPrograms } from '../../src/server/skills/skill-program.ts'
import { discoverSkills } from '../../src/skill/discover.ts'
import { readSkill } from '../../src/skill/read-skill.ts'
import { skillEntry, skillHome } from './support/skill-home.ts'

test('[SKILL15] `skill list` prints `- name` a line, exactly what discovery gives; --long adds what they are for', async () => {
  const made = await skillHome()
  await made.addSkill('work/.claude/skills', 'review-code')
  await made.addSkill('home/.claude/skills', 'claude-code-skills', {
    description: 'Of \u001b]0;title\u0007 two',
  })
  await made.write('work/.claude/skills/broken/SKILL.md', '')
  expect(await made.skill('list')).toEqual({
    code: 0,
    out: '- claude-code-skills\n- review-code\n',
    err: '',
  })
  const skills = await discoverSkills(made.place)
  expect((await made.skill('list')).out).toBe(skills.map(({ name }) => `- ${name}\n`).join(''))
  expect((await made.skill('list', '--long')).out).toBe(
    '- claude-code-skills: Of ]0;title two\n- review-code: About review-code.\n',
  )
})

test('[SKILL15] the program sees trust as it is now, and says what is hidden without it', async () => {
  const made = await skillHome({ trusted: false })
  await made.addSkill('work/.tandem/skills', 'ours')
  expect(await made.skill('list')).toEqual({
    code: 0,
    out: '',
    err: 'Not shown, because this folder is not trusted (type /trust): ours\n',
  })
  made.trust(true)
  expect(await made.skill('list')).toEqual({ code: 0, out: '- ours\n', err: '' })
  made.trust(false)
  expect((await made.skill('show', 'ours')).code).toBe(1)
})

test('[SKILL25] what the server writes for the program is for its owner alone and holds no secret', async () => {
  const made = await skillHome()
  expect(statSync(skillBin(made.session)).mode & 0o777).toBe(0o700)
  expect(statSync(join(skillBin(made.session), 'skill')).mode & 0o777).toBe(0o700)
  expect(statSync(join(made.session, 'skill.json')).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(join(made.session, 'skill.json'), 'utf8'))).toEqual(made.place)
})

test('[SKILL15] `skill show` prints what activation gives, and for an unknown name those that are near', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'review-code', { body: 'Look at it.' })
  const [skill] = await discoverSkills(made.place)
  const text = await readSkill(skill!)
  expect(await made.skill('show', 'review-code')).toEqual({
    code: 0,
    out: `${text.ok && text.value}\n`,
    err: '',
  })
  expect(await made.skill('show', 'reveiw')).toEqual({
    code: 1,
    out: '',
    err: 'skill: There is no skill "reveiw". Did you mean: review-code?\n',
  })
})

test('[SKILL15] `skill new` makes a sound skill of the project’s, or with --user of the person’s', async () => {
  const made = await skillHome()
  const project = join(made.workspace, '.tandem/skills/tidy-up/SKILL.md')
  expect(await made.skill('new', 'tidy-up')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Made ${project}\n`),
  })
  expect(await made.skill('new', 'mine', '--user')).toMatchObject({
    code: 0,
    out: expect.stringContaining(join(made.home, '.config/tandem/skills/mine/SKILL.md')),
  })
  expect((await made.skill('list')).out).toBe('- mine\n- tidy-up\n')
  expect(await made.skill('validate')).toMatchObject({ code: 0, err: '' })
  expect(await made.skill('new', 'tidy-up')).toMatchObject({
    code: 1,
    err: expect.stringContaining('is there already'),
  })
  for (const name of ['Tidy', '../x', 'a--b', '-a', 'x'.repeat(65)])
    expect((await made.skill('new', '--', name)).code).toBe(1)
})

test('[SKILL15] in a folder that is not trusted nothing is made or added, and it says what to do', async () => {
  const made = await skillHome({ trusted: false })
  await made.addSkill('elsewhere', 'tidy')
  const refusal = {
    code: 1,
    out: '',
    err: expect.stringContaining('Type /trust in Tandem, or add --user'),
  }
  expect(await made.skill('new', 'tidy')).toEqual(refusal)
  expect(await made.skill('add', 'elsewhere/tidy')).toEqual(refusal)
  expect((await made.skill('add', 'elsewhere/tidy', '--user')).code).toBe(0)
})

test('[SKILL15] `skill validate` says of a name, a folder or all whether they are sound, and fails if one is not', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'sound')
  await made.write('work/.tandem/skills/bad/SKILL.md', '---\nname: other\ndescription: x\n---\n')
  const folder = join(made.workspace, '.tandem/skills')
  const bad = `bad ${folder}/bad: its name is other, but its folder is bad; they must be the same\n`
  expect(await made.skill('validate')).toEqual({
    code: 1,
    out: `${bad}ok  ${folder}/sound\n`,
    err: '',
  })
  expect(await made.skill('validate', 'sound')).toEqual({
    code: 0,
    out: `ok  ${folder}/sound\n`,
    err: '',
  })
  expect(await made.skill('validate', 'work/.tandem/skills/bad')).toEqual({
    code: 1,
    out: bad,
    err: '',
  })
  expect(await made.skill('validate', 'none')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no skill'),
  })
})

test('[SKILL15] `skill rm` removes the one that the list means, then the next of that name', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'tidy')
  await made.addSkill('home/.claude/skills', 'tidy')
  expect((await made.skill('rm', 'tidy')).out).toBe(
    `Removed ${join(made.workspace, '.tandem/skills/tidy')}\n`,
  )
  expect((await made.skill('list')).out).toBe('- tidy\n')
  expect((await made.skill('rm', 'tidy')).out).toBe(
    `Removed ${join(made.home, '.claude/skills/tidy')}\n`,
  )
  expect(await made.skill('rm', 'tidy')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no skill "tidy"'),
  })
  expect(await made.skill('rm', '..')).toMatchObject({ code: 1 })
})

test('[SKILL15] what cannot be understood exits with 2 and shows the usage; help exits with 0', async () => {
  const made = await skillHome()
  for (const words of [
    ['lost'],
    ['list', 'x'],
    ['list', '--short'],
    ['show'],
    ['add'],
    ['rm', 'a', 'b'],
  ]) {
    const { code, out, err } = await made.skill(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^skill: .*\nusage: skill /)
  }
  for (const words of [[], ['help'], ['--help'], ['help', 'add'], ['add', '--help']]) {
    const { code, out, err } = await made.skill(...words)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('skill add FOLDER|ARCHIVE [--user] [--force]')
  }
})

test('[SKILL15] the program says so when its session is gone', async () => {
  const made = await skillHome()
  await made.write('session/skill.json', '{}')
  expect(await made.skill('list')).toEqual({
    code: 1,
    out: '',
    err: 'skill: this session is gone. Start a new shell in Tandem.\n',
  })
})

test('[SKILL15] a change of trust reaches every open session, and no deleted one', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'ours')
  const trusted = new Set<string>()
  const programs = createSkillPrograms({
    entry: skillEntry,
    env: made.place.env,
    isTrusted: async (folder) => trusted.has(folder),
    diagnose: () => undefined,
  })
  const gone = join(made.root, 'gone')
  mkdirSync(gone)
  programs.open({ folder: gone, workspace: made.workspace })
  await programs.refresh()
  rmSync(gone, { recursive: true })
  const session = { folder: made.session, workspace: made.workspace }
  expect(programs.open(session)).toBe(skillBin(made.session))
  await programs.refresh()
  expect((await made.skill('list')).out).toBe('')
  trusted.add(made.workspace)
  await programs.refresh()
  expect((await made.skill('list')).out).toBe('- ours\n')
  expect(existsSync(gone)).toBe(false)
})
