import { expect, test } from 'vitest'
import type { ToolRequest } from '../../src/protocol/call.ts'
import { activateSkillCommand } from '../../src/server/commands/activate-skill.ts'
import { skillsCommand } from '../../src/server/commands/skills.ts'
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

test('[SKILL30] activating a skill puts its instructions into the conversation', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'tidy')
  const skills = () => discoverSkills(made.place)
  const [tidy] = await skills()
  const text = await readSkill(tidy!)
  expect(await activateSkillCommand({ skills })(callOf('tidy'))).toEqual({
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
])('[SKILL31] activating %s is an error that names those that are near', async (name, content) => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'tidy')
  await made.addSkill('work/.tandem/skills', 'review-code')
  const answer = await activateSkillCommand({ skills: () => discoverSkills(made.place) })(
    callOf(name),
  )
  expect(answer).toEqual({ status: 'error', content, inContext: true })
})

test('[SKILL32] a skill that broke since it was found is an error that says why', async () => {
  const made = await skillHome()
  await made.addSkill('work/.tandem/skills', 'tidy')
  const found = await discoverSkills(made.place)
  await made.write('work/.tandem/skills/tidy/SKILL.md', 'gone')
  expect(await activateSkillCommand({ skills: async () => found })(callOf('tidy'))).toMatchObject({
    status: 'error',
    content: expect.stringContaining('cannot be read: SKILL.md does not begin with'),
  })
})

test('[SKILL33] /skills lists them for the person alone, and what an untrusted folder would add', async () => {
  const made = await skillHome({ trusted: false })
  const world = async () => ({
    skills: await discoverSkills(made.place),
    trusted: made.place.trusted,
    home: made.home,
  })
  const skills = skillsCommand({ workspace: made.workspace, world })
  expect(await skills(callOf())).toEqual({
    status: 'done',
    content: 'There are no skills here. Make one in the shell: skill new NAME',
    inContext: false,
  })
  await made.addSkill('home/.claude/skills', 'mine')
  await made.addSkill('work/.claude/skills', 'ours')
  expect((await skills(callOf())).content).toBe(
    '- mine (user): About mine.\n\nNot used, because this folder is not trusted (/trust): ours',
  )
  made.place.trusted = true
  expect((await skills(callOf())).content).toBe(
    '- mine (user): About mine.\n- ours (project): About ours.',
  )
})
