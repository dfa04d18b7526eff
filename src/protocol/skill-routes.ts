import { z } from 'zod'
import type { Route } from './route.ts'
import { SkillInfo } from './skill.ts'

export const skillRoutes = {
  skills: {
    method: 'GET',
    path: '/v1/skills',
    summary: 'The skills of the person, and of a folder if that is trusted',
    access: 'token',
    query: z.object({ folder: z.string().min(1).max(4_096).optional() }),
    status: 200,
    answer: z.object({ skills: z.array(SkillInfo) }),
  },
} as const satisfies Record<string, Route>
