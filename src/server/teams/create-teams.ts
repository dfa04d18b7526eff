import { mkdirSync } from 'node:fs'
import { z } from 'zod'
import type { Refusal } from '../../protocol/refusal.ts'
import { ok, refused } from '../../protocol/result.ts'
import { TeamName } from '../../protocol/session.ts'
import { teamFolder } from '../data-folder.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Database } from '../store/database.ts'
import { readRow, readRows } from '../store/rows.ts'
import { createRepos } from './repos.ts'
import { createTasks } from './tasks.ts'
import type { Teams } from './teams.ts'

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
  const { file } = database

  function find(name: string) {
    return readRow(file, TeamRow, database.get('SELECT * FROM teams WHERE name = :name', { name }))
  }

  function list(): readonly string[] {
    const rows = database.all(`SELECT * FROM teams ORDER BY name <> 'default', name`)
    return readRows(file, TeamRow, rows).map(({ name }) => name)
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
