import { z } from 'zod'
import { skillLimits, skillNamePattern } from './skill-limits.ts'

/** A skill by the Agent Skills convention: a folder whose SKILL.md has its name and description. */
export const SkillName = z
  .string()
  .regex(skillNamePattern, 'lower-case words joined by single hyphens')
  .max(skillLimits.nameChars)

export const SkillInfo = z.object({
  name: SkillName,
  description: z.string().min(1).max(skillLimits.descriptionChars),
  /** A project’s goes before a user’s of the same name. */
  source: z.enum(['project', 'user']),
  /** Its folder. */
  path: z.string(),
})
export type SkillInfo = z.infer<typeof SkillInfo>
