import type { ToolRequest } from '../../protocol/call.ts'
import type { SkillInfo } from '../../protocol/skill.ts'
import { noSuchSkill } from '../../skill/no-such-skill.ts'
import { readSkill } from '../../skill/read-skill.ts'
import type { EdgeAnswer } from './edge-answer.ts'

/** Brings a skill’s instructions into the conversation, for a person or for the model itself. */
export function activateSkillCommand(deps: {
  skills(): Promise<readonly SkillInfo[]>
}): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async ({ skill = '' }) => {
    const skills = await deps.skills()
    const found = skills.find(({ name }) => name === skill)
    if (found === undefined) return refusal(noSuchSkill(skill, skills))
    const text = await readSkill(found)
    return text.ok ? { status: 'done', content: text.value, inContext: true } : refusal(text.error)
  }
}

/** Whoever asked for it has to know why there is none. */
function refusal(content: string): EdgeAnswer {
  return { status: 'error', content, inContext: true }
}
