import { release } from 'node:os'
import { basename } from 'node:path'
import type { World } from '../session/catalogue.ts'
import { skillsText } from './skills/skills-text.ts'

export interface FactsOf {
  workspace: string
  shell: string
  at: number
  world: World
  /** What the project wants every agent to know. */
  guide: string
}

/** What a model should know of the world, told once at the start and never rebuilt. */
export function factsOf({ workspace, shell, at, world, guide }: FactsOf): string {
  const facts = [
    '[about this session, as it began]',
    `folder: ${workspace}`,
    `system: ${process.platform} ${release()}, ${process.arch}`,
    `shell: ${basename(shell)}`,
    `date: ${new Date(at).toISOString().slice(0, 10)}`,
  ].join('\n')
  return [facts, skillsText(world.skills), guide].filter((text) => text !== '').join('\n\n')
}
