import { homedir } from 'node:os'
import { isAbsolute, join, dirname } from 'node:path'
import type { SkillInfo } from '../protocol/http/skill.ts'
import { existsSync } from 'node:fs'
import { ok, refused, type Result } from '../base/result.ts'
import { followed, isWithin } from './read-file.ts'

/** The places of skills: a session’s workspace, and its person’s own folders. */
export interface SkillPlace {
  workspace: string
  /** Whether what lies in the workspace counts. */
  trusted: boolean
  /** HOME and XDG_CONFIG_HOME are read. */
  env: Readonly<Record<string, string | undefined>>
}

export interface SkillRoot {
  source: SkillInfo['source']
  folder: string
}

/** The folders of a workspace that may hold skills, the first one first. */
export const projectFolders = ['.tandem/skills', '.agents/skills', '.claude/skills']

/** The folders whose skills count, the first one first. */
export function skillRoots({ workspace, trusted, env }: SkillPlace): readonly SkillRoot[] {
  const project = projectFolders.map((folder) => join(workspace, folder))
  return [
    ...(trusted ? project : []).map((folder) => ({ source: 'project' as const, folder })),
    ...[
      join(configFolder(env), 'tandem/skills'),
      join(homeFolder(env), '.agents/skills'),
      join(homeFolder(env), '.claude/skills'),
    ].map((folder) => ({ source: 'user' as const, folder })),
  ]
}

/** The folder of new skills. */
function ownRoot(place: SkillPlace, source: SkillInfo['source']): string {
  return source === 'project'
    ? join(place.workspace, '.tandem/skills')
    : join(configFolder(place.env), 'tandem/skills')
}

/** XDG says that a relative path there is no path. */
export function configFolder(env: SkillPlace['env']): string {
  const own = env['XDG_CONFIG_HOME']
  return own !== undefined && isAbsolute(own) ? own : join(homeFolder(env), '.config')
}

export function homeFolder(env: SkillPlace['env']): string {
  return env['HOME'] ?? homedir()
}

/** The folder of new skills, or why nothing may be written there. */
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

/** The file by which the server tells the program where it is. */
export function writePlace({ workspace, trusted, env }: SkillPlace): string {
  const { HOME, XDG_CONFIG_HOME } = env
  return JSON.stringify({ workspace, trusted, env: { HOME, XDG_CONFIG_HOME } })
}

/** Null when the file is gone or is not ours. */
export function readPlace(read: () => string): SkillPlace | null {
  try {
    const value: unknown = JSON.parse(read())
    return isPlace(value) ? value : null
  } catch {
    return null
  }
}

function isPlace(value: unknown): value is SkillPlace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'workspace' in value &&
    typeof value.workspace === 'string' &&
    'trusted' in value &&
    typeof value.trusted === 'boolean' &&
    'env' in value &&
    typeof value.env === 'object' &&
    value.env !== null
  )
}
