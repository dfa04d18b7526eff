import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { SkillInfo } from '../protocol/skill.ts'

/** Where skills are looked for: a session’s workspace, and its person’s own folders. */
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

/** Where a new skill is put. */
export function ownRoot(place: SkillPlace, source: SkillInfo['source']): string {
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
