import { expect, test } from 'vitest'
import type { ToolRequest } from '../../src/protocol/events/call.ts'
import { activateSkillCommand, skillsCommand } from '../../src/server/commands/skills.ts'
import { discoverSkills } from '../../src/skill/discover.ts'
import { readSkill } from '../../src/skill/read-skill.ts'
import { skillHome } from './support/skill-home.ts'

const callOf = (skill?: string): ToolRequest => ({
  v: 1,
  seq: 1,
  at: 0,
  by: { kind: 'user' },
  type: 'tool_request',
  meta: { isClientInitiated: true },
  name: 'activate_skill',
  args: '',
  index: 0,
  step: null,
  ...(skill === undefined ? {} : { skill }),
})

test('[SKILL14] activating a skill puts its instructions into the conversation', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'tidy')
  const skills = () => discoverSkills(made.place)
  const [tidy] = await skills()
  const text = await readSkill(tidy!)
  const world = async () => ({ skills: await skills() })
  expect(await activateSkillCommand({ world }, callOf('tidy'))).toEqual({
    status: 'done',
    content: text.ok && text.value,
    inContext: true,
  })
})

test.each([
  ['tidi', 'There is no skill "tidi". Did you mean: tidy?'],
  ['zzz', 'There is no skill "zzz". There are: review-code, tidy.'],
  [undefined, 'There is no skill "". Did you mean: review-code, tidy?'],
  ['__proto__', 'There is no skill "__proto__". There are: review-code, tidy.'],
])('[SKILL14] activating %s is an error that names those that are near', async (name, content) => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'tidy')
  await made.addSkill('work/.tandem/skills', 'review-code')
  const world = async () => ({ skills: await discoverSkills(made.place) })
  const answer = await activateSkillCommand({ world }, callOf(name))
  expect(answer).toEqual({ status: 'error', content, inContext: true })
})

test('[SKILL14] a skill that broke since it was found is an error that says why', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'tidy')
  const found = { skills: await discoverSkills(made.place) }
  await made.write('work/.tandem/skills/tidy/SKILL.md', 'gone')
  expect(await activateSkillCommand({ world: async () => found }, callOf('tidy'))).toMatchObject({
    status: 'error',
    content: expect.stringContaining('cannot be read: SKILL.md does not begin with'),
  })
})

test('[SKILL15] /skills lists them for the person alone, and what an untrusted folder would add', async () => {
  const made = await skillHome({ trusted: false })
  const world = async () => ({
    skills: await discoverSkills(made.place),
    trusted: made.place.trusted,
    home: made.home,
  })
  const skills = () => skillsCommand({ workspace: made.workspace, world })
  expect(await skills()).toEqual({
    status: 'done',
    content: 'There are no skills here. Make one in the shell: skill new NAME',
    inContext: false,
  })
  await made.addSkill('home/.claude/skills', 'mine')
  await made.addSkill('work/.claude/skills', 'ours')
  expect((await skills()).content).toBe(
    '- mine (user): About mine.\n\nNot used, because this folder is not trusted (/trust): ours',
  )
  made.place.trusted = true
  expect((await skills()).content).toBe('- mine (user): About mine.\n- ours (project): About ours.')
})
