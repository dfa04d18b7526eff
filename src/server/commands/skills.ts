import type { ToolRequest } from '../../protocol/events/call.ts'
import type { SkillInfo } from '../../protocol/http/skill.ts'
import type { World } from '../../session/catalogue.ts'
import { hiddenSkills } from '../../skill/discover.ts'
import { noSuchSkill, readSkill } from '../../skill/read-skill.ts'
import { changed, type EdgeAnswer, told } from './edge-answer.ts'

/** Brings a skill’s instructions into the conversation, for a person or for the model itself. */
export async function activateSkillCommand(
  { world }: { world(): Promise<Pick<World, 'skills'>> },
  { skill = '' }: ToolRequest,
): Promise<EdgeAnswer> {
  const { skills } = await world()
  const found = skills.find(({ name }) => name === skill)
  if (found === undefined) return refusal(noSuchSkill(skill, skills))
  const text = await readSkill(found)
  return text.ok ? changed(text.value) : refusal(text.error)
}

/** The model has to know why there is none. */
function refusal(content: string): EdgeAnswer {
  return { status: 'error', content, inContext: true }
}

/** `/skills`: what there is, for a person, and what an untrusted folder would add. */
export async function skillsCommand(session: {
  workspace: string
  world(): Promise<Pick<World, 'skills' | 'trusted' | 'home'>>
}): Promise<EdgeAnswer> {
  const { skills, trusted, home } = await session.world()
  const place = { workspace: session.workspace, trusted, env: { HOME: home } }
  return told([...listed(skills), ...hidden(await hiddenSkills(place))].join('\n'))
}

function listed(skills: readonly SkillInfo[]): readonly string[] {
  if (skills.length === 0)
    return ['There are no skills here. Make one in the shell: skill new NAME']
  return skills.map(({ name, description, source }) => `- ${name} (${source}): ${description}`)
}

function hidden(names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  return ['', `Not used, because this folder is not trusted (/trust): ${names.join(', ')}`]
}
