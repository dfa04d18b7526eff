import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ok, refused, type Result } from '../protocol/result.ts'
import { ownRoot, type SkillPlace } from './skill-folders.ts'
import { followed, isWithin } from './within.ts'

/** Where new skills are written, or why nothing may be written there. */
export async function writableRoot(
  place: SkillPlace,
  { user }: { user: boolean },
): Promise<Result<string, string>> {
  if (user) return ok(ownRoot(place, 'user'))
  if (!place.trusted)
    return refused(
      `${place.workspace} is not trusted, so its skills do not count. Type /trust in Tandem, or add --user.`,
    )
  const root = ownRoot(place, 'project')
  const [workspace, there] = await Promise.all([followed(place.workspace), followed(nearest(root))])
  if (workspace === null || there === null || !isWithin(there, workspace))
    return refused(`${root} leads out of the workspace. Remove that link, or add --user.`)
  return ok(root)
}

function nearest(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearest(dirname(path))
}
