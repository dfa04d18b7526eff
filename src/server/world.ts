import type { Intent } from '../protocol/intent.ts'
import type { SessionState } from '../log/state.ts'
import { emptyWorld, type World } from '../session/catalogue.ts'
import { mentioningText } from '../session/find-typed.ts'
import type { LookAt } from './looker/ops.ts'
import { homesOf } from './skills/skills-for.ts'
import type { Teams } from './teams/teams.ts'
import type { Trust } from './trust.ts'

export interface WorldDeps {
  teams: Pick<Teams, 'seenRepos' | 'folder'>
  trust: Pick<Trust, 'isTrusted'>
  /** The person’s own folder, and where their configuration is. */
  env: Readonly<Record<string, string>>
  look: LookAt
}

/** The world, and what only the first record tells of it. */
export interface Gathered {
  world: World
  /** What the project’s AGENTS.md says; empty when it says nothing that counts. */
  guide: string
}

export const nothingGathered: Gathered = { world: emptyWorld, guide: '' }

/** What a session should know of the world, as it is now. */
export interface Worlds {
  /** All of it; `input` is looked through for files that it mentions. */
  gather(session: Pick<SessionState, 'team' | 'workspace'>, input?: string): Promise<Gathered>
}

export function createWorlds({ teams, trust, env, look }: WorldDeps): Worlds {
  return {
    async gather({ team, workspace }, input = '') {
      const trusted = await trust.isTrusted(workspace)
      const home = env['HOME'] ?? '/'
      const [looked, repos] = await Promise.all([
        look('world', { workspace, trusted, env: homesOf(env) }),
        teams.seenRepos(team),
      ])
      const { skills, files, guide } = looked.ok ? looked.value : nothingThere
      const text = mentioningText(input, { skills, files })
      // What cannot be looked at stays what it is: text.
      const named = text.includes('@') ? await look('mentions', { text, workspace, home }) : null
      const mentions = new Map(named?.ok ? named.value : [])
      const teamFolder = teams.folder(team)
      return { guide, world: { trusted, home, teamFolder, repos, skills, files, mentions } }
    },
  }
}

const nothingThere = { skills: [], files: [], guide: '' }

/** Whether deciding an intent needs the world as it is now. A command for the terminal never waits for it. */
export function needsWorld(intent: Intent, { epoch }: SessionState): boolean {
  if (intent.type === 'shell' || intent.type === 'edit_queued') return true
  if (intent.type !== 'submit') return false
  const text = intent.text.trimStart()
  const isRun = intent.as === 'run' || text.startsWith('!')
  // Only one that a turn follows may have to tell the model of the world.
  if (isRun) return epoch === null && text.startsWith('!?')
  return epoch === null || text.startsWith('/') || text.includes('@')
}
