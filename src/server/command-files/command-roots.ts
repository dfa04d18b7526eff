import { join } from 'node:path'
import type { CommandFile } from '../../session/catalogue.ts'
import { configFolder, homeFolder, type SkillPlace } from '../../skill/skill-folders.ts'

export interface CommandRoot extends Pick<CommandFile, 'source' | 'syntax'> {
  folder: string
}

const projectFolders = [
  { folder: '.tandem/commands', syntax: 'md' },
  { folder: '.claude/commands', syntax: 'md' },
  { folder: '.gemini/commands', syntax: 'toml' },
] as const

/** The folders whose command files count, the first one first. */
export function commandRoots({ workspace, trusted, env }: SkillPlace): readonly CommandRoot[] {
  const home = homeFolder(env)
  return [
    ...(trusted ? projectFolders : []).map(({ folder, syntax }) => ({
      folder: join(workspace, folder),
      syntax,
      source: 'project' as const,
    })),
    { folder: join(configFolder(env), 'tandem/commands'), syntax: 'md', source: 'user' },
    { folder: join(home, '.claude/commands'), syntax: 'md', source: 'user' },
    { folder: join(home, '.gemini/commands'), syntax: 'toml', source: 'user' },
  ]
}
