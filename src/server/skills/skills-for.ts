import type { SkillInfo } from '../../protocol/skill.ts'
import { discoverSkills } from '../../skill/discover.ts'
import type { SkillPlace } from '../../skill/skill-folders.ts'
import type { Trust } from '../trust.ts'

/** What a session in this folder would have; without one, what a person has everywhere. */
export function skillsFor(
  folder: string | null,
  { trust, env }: { trust: Pick<Trust, 'isTrusted'>; env: SkillPlace['env'] },
): Promise<readonly SkillInfo[]> {
  const trusted = folder !== null && trust.isTrusted(folder)
  return discoverSkills({ workspace: folder ?? '/', trusted, env })
}
