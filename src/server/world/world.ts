import type { Dialect } from '../../protocol/events/epoch.ts'
import type { Organisation } from '../../protocol/organisation.ts'
import { release } from 'node:os'
import { basename } from 'node:path'
import { type World, emptyWorld } from '../../session/catalogue.ts'
import { skillLimits } from '../../protocol/skill-limits.ts'
import type { SessionState } from '../../log/state.ts'
import { factsHead } from '../../session/conversation/supplied-history.ts'
import { mentioningText } from '../../session/decide/decide.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Teams } from '../teams/teams.ts'
import type { SkillInfo } from '../../protocol/http/skill.ts'
import type { SkillPlace } from '../../skill/skill-folders.ts'
import type { Trust } from './trusted-folders.ts'

export interface FactsOf {
  workspace: string
  shell: string
  at: number
  /** The zone in which the person’s day begins, as `Europe/Berlin`. */
  zone: string
  world: World
  /** The project's words for every agent. */
  guide: string
  dialect: Dialect
}

/** Writes what a model should know of the world, told once at the start and never rebuilt. */
export function factsOf(about: FactsOf): string {
  const { workspace, shell, at, zone, world, guide, dialect } = about
  const facts = [
    factsHead,
    `folder: ${workspace}`,
    `system: ${process.platform} ${release()}, ${process.arch}`,
    `shell: ${basename(shell)}`,
    `date: ${localDate(at, zone)}`,
  ].join('\n')
  return [facts, skillsText(world.skills, dialect), guide]
    .filter((text) => text !== '')
    .join('\n\n')
}

/** The zone of this machine; a setting that means none counts as UTC. */
export function localZone(): string {
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === undefined || zone === 'Etc/Unknown' ? 'UTC' : zone
}

/** "2026-11-18 (Europe/Berlin, UTC+01:00)". */
function localDate(at: number, zone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZoneName: 'longOffset',
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = [parts.get('year'), parts.get('month'), parts.get('day')].join('-')
  return `${day} (${zone}, ${parts.get('timeZoneName')?.replace('GMT', 'UTC')})`
}

export interface WorldDeps {
  teams: Pick<Teams, 'seenRepos' | 'folder'>
  trust: Pick<Trust, 'isTrusted'>
  /** The person’s own folder, and where their configuration is. */
  env: Readonly<Record<string, string>>
  look: LookAt
  /** The rules of the organisation, as they are now. */
  organisation(): Promise<Organisation | null>
}

/** The world, and what only the first record tells of it. */
export interface Gathered {
  world: World
  /** The text of the project’s AGENTS.md; empty when it says nothing that counts. */
  guide: string
}

export const nothingGathered: Gathered = { world: emptyWorld, guide: '' }

/** Looks at the world for a session, as it is now; `input` is looked through for files that it mentions. */
export type GatherWorld = (
  session: Pick<SessionState, 'team' | 'workspace'>,
  input?: string,
) => Promise<Gathered>

export function createGatherWorld(deps: WorldDeps): GatherWorld {
  const { teams, trust, env, look } = deps
  return async ({ team, workspace }, input = '') => {
    const organisation = await deps.organisation()
    const trusted = await trust.isTrusted(workspace)
    const home = env['HOME'] ?? '/'
    const [looked, repos] = await Promise.all([
      look('world', { workspace, trusted, env: homesOf(env) }),
      teams.seenRepos(team),
    ])
    const { skills, files, guide } = looked.ok ? looked.value : nothingThere
    const text = mentioningText(input, { skills, files })
    // A mention that cannot be looked at stays what it is: text.
    const named = text.includes('@') ? await look('mentions', { text, workspace, home }) : null
    const mentions = new Map(named?.ok ? named.value : [])
    const teamFolder = teams.folder(team)
    return {
      guide,
      world: { trusted, organisation, home, teamFolder, repos, skills, files, mentions },
    }
  }
}

const nothingThere = { skills: [], files: [], guide: '' }

/** The skills of a session in this folder; without a folder, those that a person has everywhere. */
export async function skillsFor(
  folder: string | null,
  { trust, env, look }: Omit<WorldDeps, 'teams' | 'organisation'>,
): Promise<readonly SkillInfo[]> {
  const trusted = folder !== null && (await trust.isTrusted(folder))
  const looked = await look('skills', { workspace: folder ?? '/', trusted, env: homesOf(env) })
  return looked.ok ? looked.value : []
}

/** All that has a say in where a person’s own files are. */
function homesOf({ HOME, XDG_CONFIG_HOME }: SkillPlace['env']): SkillPlace['env'] {
  return {
    ...(HOME !== undefined && { HOME }),
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
  }
}

/** In words of the dialect: only a model with tools can call one. */
const heads: Readonly<Record<Dialect, string>> = {
  tags: 'Skills: instructions for certain tasks. When a task fits one, read it before you begin: run `skill show NAME` in the shell.',
  tools:
    'Skills: instructions for certain tasks. When a task fits one, read it before you begin: call activate_skill with its name, or run `skill show NAME` in the shell.',
}

type Named = Pick<SkillInfo, 'name' | 'description'>

/** The list of skills in the first record; '' when there are none. */
export function skillsText(skills: readonly Named[], dialect: Dialect): string {
  if (skills.length === 0) return ''
  const head = heads[dialect]
  const whole = `${head}\n${textOf(skills, skillLimits.descriptionChars)}`
  if (whole.length <= skillLimits.textChars) return whole
  const short = `${head}\n${textOf(skills, skillLimits.shortDescriptionChars)}`
  if (short.length <= skillLimits.textChars) return short
  const lines = short.slice(0, skillLimits.textChars).split('\n').slice(0, -1)
  const left = skills.length - (lines.length - 1)
  return [...lines, `- and ${left} more: \`skill list --long\` shows them all`].join('\n')
}

function textOf(skills: readonly Named[], descriptionChars: number): string {
  return skills
    .map(({ name, description }) => `- ${name}: ${cut(description, descriptionChars)}`)
    .join('\n')
}

function cut(text: string, chars: number): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= chars ? line : `${line.slice(0, chars - 1)}…`
}
