import type { Refusal } from '../../protocol/http/refusal.ts'
import { type Result, ok, refused } from '../../base/result.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { NewRepo, Repo, Task, TaskId, TaskMove } from '../../protocol/http/team.ts'
import { mkdirSync } from 'node:fs'
import { z } from 'zod'
import { TeamName } from '../../protocol/events/session.ts'
import { teamFolder } from '../process/data-folder.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Database } from '../store/database.ts'
import { createRepos } from './repos.ts'
import { createTasks } from './tasks.ts'

/**
 * The things that sessions of a team share. `default` is always there. A question to an unknown team
 * gets a refusal, or an empty list.
 */
export interface Teams {
  /** `default` first, the others by name. */
  list(): readonly string[]
  has(team: string): boolean
  create(team: string): Result<string, Refusal>
  /** The team's own folder in the data folder, made when it is asked for. */
  folder(team: string): string
  /** In the order they were registered: the first is where `/shell` works by default. */
  repos(team: string): readonly Repo[]
  /** The same, and of each whether its folder is there now. */
  seenRepos(team: string): Promise<readonly Repo[]>
  addRepo(team: string, repo: NewRepo): Promise<Result<Repo, Refusal>>
  /** Only forgotten: its files are not touched. */
  removeRepo(team: string, name: string): Result<Repo, Refusal>
  tasks(team: string): readonly Task[]
  task(team: string, id: TaskId): Result<Task, Refusal>
  createTask(team: string, title: string): Result<Task, Refusal>
  moveTask(team: string, id: TaskId, move: TaskMove): Result<Task, Refusal>
  /** The session for commands that name none; null until there is one. */
  mainSession(team: string): SessionId | null
  setMainSession(team: string, session: SessionId): void
}

export interface TeamsDeps {
  /** Migrated; closed by the store that shares it. */
  database: Database
  /** The data folder. */
  home: string
  clock(): number
  look: LookAt
}

const TeamRow = z.object({ name: TeamName, main_session: z.string().nullable() })

/** More teams than this on one machine is a script gone wild. */
const most = 1_000

export function createTeams({ database, home, clock, look }: TeamsDeps): Teams {
  function find(name: string) {
    return database.get(TeamRow, 'SELECT * FROM teams WHERE name = :name', { name })
  }

  function list(): readonly string[] {
    const rows = database.all(TeamRow, `SELECT * FROM teams ORDER BY name <> 'default', name`)
    return rows.map(({ name }) => name)
  }

  const missing = (team: string): Refusal | null =>
    find(team) === null ? unknownTeam(team, list()) : null

  return {
    list,
    has: (team) => find(team) !== null,
    create(team) {
      const name = TeamName.safeParse(team)
      if (!name.success) return refused({ code: 'bad_request', message: badName })
      return database.transaction(() => {
        const known = list()
        if (known.includes(team))
          return refused({ code: 'taken', message: `There is already a team "${team}".` })
        if (known.length >= most)
          return refused({ code: 'too_many', message: `There are ${most} teams already.` })
        database.run('INSERT INTO teams (name) VALUES (:team)', { team })
        return ok(team)
      })
    },
    folder(team) {
      const path = teamFolder(home, TeamName.parse(team))
      mkdirSync(path, { recursive: true, mode: 0o700 })
      return path
    },
    ...createRepos(database, { missing, look }),
    ...createTasks(database, { missing, clock }),
    mainSession: (team) => find(team)?.main_session ?? null,
    setMainSession(team, session) {
      database.run('UPDATE teams SET main_session = :session WHERE name = :team', { team, session })
    },
  }
}

const badName =
  'A team’s name has lower-case letters, digits and hyphens, at most 40, and begins with a letter or digit.'

export function unknownTeam(team: string, known: readonly string[]): Refusal {
  const shown = known.length > 20 ? [...known.slice(0, 20), '…'] : known
  const message = `There is no team "${team}". There is: ${shown.join(', ')}. Make it with: tandem team create ${team}`
  return { code: 'unknown_team', message }
}
