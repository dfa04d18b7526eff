import type { Intent } from '../protocol/intent.ts'
import type { SessionState } from '../log/state.ts'
import { emptyWorld, type World } from '../session/catalogue.ts'
import { mentioningText } from '../session/find-typed.ts'
import { discoverCommandFiles } from './command-files/discover.ts'
import { resolveMentions } from './mentions/resolve.ts'
import { readGuide } from './read-guide.ts'
import { discoverSkills } from '../skill/discover.ts'
import type { Teams } from './teams/teams.ts'
import type { Trust } from './trust.ts'

export interface WorldDeps {
  teams: Pick<Teams, 'repos' | 'folder'>
  trust: Pick<Trust, 'isTrusted'>
  /** The person’s own folder, and where their configuration is. */
  env: Readonly<Record<string, string>>
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

export function createWorlds({ teams, trust, env }: WorldDeps): Worlds {
  return {
    async gather({ team, workspace }, input = '') {
      const trusted = trust.isTrusted(workspace)
      const place = { workspace, trusted, env }
      const home = env['HOME'] ?? '/'
      const [skills, files, guide] = await Promise.all([
        discoverSkills(place),
        discoverCommandFiles(place),
        trusted ? readGuide(workspace) : '',
      ])
      const text = mentioningText(input, { skills, files })
      const mentions = await resolveMentions(text, { workspace, home })
      const repos = teams.repos(team)
      const teamFolder = teams.folder(team)
      return { guide, world: { trusted, home, teamFolder, repos, skills, files, mentions } }
    },
  }
}

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
