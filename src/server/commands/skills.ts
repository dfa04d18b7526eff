import type { ToolRequest } from '../../protocol/call.ts'
import type { SkillInfo } from '../../protocol/skill.ts'
import type { World } from '../../session/catalogue.ts'
import { hiddenSkills } from '../../skill/discover.ts'
import { type EdgeAnswer, told } from './edge-answer.ts'

/** `/skills`: what there is, for a person, and what an untrusted folder would add. */
export function skillsCommand(deps: {
  workspace: string
  world(): Promise<Pick<World, 'skills' | 'trusted' | 'home'>>
}): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async () => {
    const { skills, trusted, home } = await deps.world()
    const place = { workspace: deps.workspace, trusted, env: { HOME: home } }
    return told([...listed(skills), ...hidden(await hiddenSkills(place))].join('\n'))
  }
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
