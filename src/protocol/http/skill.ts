import { z } from 'zod'
import { skillLimits, skillNamePattern } from '../skill-limits.ts'
import type { Route } from './route.ts'

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

export const skillRoutes = {
  skills: {
    method: 'GET',
    path: '/v1/skills',
    summary: 'The skills of the person, and of a folder if that is trusted',
    query: z.object({ folder: z.string().min(1).max(4_096).optional() }),
    answer: z.object({ skills: z.array(SkillInfo) }),
  },
} as const satisfies Record<string, Route>
