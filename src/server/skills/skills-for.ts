import type { SkillInfo } from '../../protocol/skill.ts'
import type { SkillPlace } from '../../skill/skill-folders.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Trust } from '../trust.ts'

export interface SkillsForDeps {
  trust: Pick<Trust, 'isTrusted'>
  env: SkillPlace['env']
  look: LookAt
}

/** What a session in this folder would have; without one, what a person has everywhere. */
export async function skillsFor(
  folder: string | null,
  { trust, env, look }: SkillsForDeps,
): Promise<readonly SkillInfo[]> {
  const trusted = folder !== null && (await trust.isTrusted(folder))
  const looked = await look('skills', { workspace: folder ?? '/', trusted, env: homesOf(env) })
  return looked.ok ? looked.value : []
}

/** All that has a say in where a person’s own files are. */
export function homesOf({ HOME, XDG_CONFIG_HOME }: SkillPlace['env']): SkillPlace['env'] {
  return {
    ...(HOME !== undefined && { HOME }),
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
  }
}
