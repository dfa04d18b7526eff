import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { HttpDeps } from '../../src/server/http/deps.ts'
import { lookHere } from '../../src/server/looker/operations.ts'
import { createStats, type ReadStats } from '../../src/server/stats/stats.ts'
import { createSqliteStore, openMigrated } from '../../src/server/store/sqlite.ts'
import type { EventStore } from '../../src/server/store/store.ts'
import { createTeams } from '../../src/server/teams/create-teams.ts'
import { createShellResults, type ShellResults } from '../../src/server/teams/shell-results.ts'
import type { Teams } from '../../src/server/teams/teams.ts'
import { createTrust, type Trust } from '../../src/server/trust.ts'

export interface TestTeams {
  /** For the test’s own folders, and the data folder in it. */
  folder: string
  home: string
  store: EventStore
  teams: Teams
  trust: Trust
  shellResults: ShellResults
  stats: ReadStats
  /** The same data, opened anew. */
  again(): Promise<TestTeams>
}

/** Teams and trust on a real database, gone with the test. */
export function openTestTeams(at?: { folder: string }): TestTeams {
  const folder = at?.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'tandem-teams-')))
  const home = join(folder, 'data')
  const database = openMigrated({ file: join(home, 'tandem.db') })
  const store = createSqliteStore(database)
  let time = 1_000
  const clock = () => time++
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    home,
    store,
    teams: createTeams({ database, home, clock, look: lookHere }),
    trust: createTrust(database, { clock, look: lookHere }),
    shellResults: createShellResults({ store, home, clock }),
    stats: createStats({ store, clock }),
    async again() {
      await store.close()
      return openTestTeams({ folder })
    },
  }
}

/** What the HTTP layer takes of it. */
export function teamDeps(): Pick<
  HttpDeps,
  'teams' | 'trust' | 'shellResults' | 'stats' | 'skills'
> {
  const { teams, trust, shellResults, stats } = openTestTeams()
  return { teams, trust, shellResults, stats, skills: async () => [] }
}
