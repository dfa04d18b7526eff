import type { Database } from '../../src/server/store/database.ts'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { HttpDeps } from '../../src/server/http/deps.ts'
import { lookHere } from '../../src/server/looker/operations.ts'
import { createReadAudit, type ReadAudit } from '../../src/server/pages/read-audit.ts'
import { createStats, type ReadStats } from '../../src/server/stats/stats.ts'
import { createSqliteStore, openMigrated } from '../../src/server/store/sqlite.ts'
import type { EventStore } from '../../src/server/store/store.ts'
import { createTeams, type Teams } from '../../src/server/teams/teams.ts'
import { createShellResults, type ShellResults } from '../../src/server/teams/shell-results.ts'
import { createFolderRules, type FolderRules } from '../../src/server/world/folder-rules.ts'
import { createTrust, type Trust } from '../../src/server/world/trusted-folders.ts'

export interface TestTeams {
  /** For the test’s own folders, and the data folder in it. */
  folder: string
  home: string
  store: EventStore
  teams: Teams
  trust: Trust
  rules: FolderRules
  /** The lines for whoever looks after the server. */
  warnings: readonly string[]
  database: Database
  shellResults: ShellResults
  stats: ReadStats
  audit: ReadAudit
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
  const warnings: string[] = []
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
    rules: createFolderRules(database, (line) => void warnings.push(line)),
    warnings,
    database,
    shellResults: createShellResults({ store, home, clock }),
    stats: createStats({ store, clock }),
    audit: createReadAudit(store),
    async again() {
      await store.close()
      return openTestTeams({ folder })
    },
  }
}

/** What the HTTP layer takes of it. */
export function teamDeps(): Pick<
  HttpDeps,
  'teams' | 'trust' | 'rules' | 'shellResults' | 'stats' | 'audit' | 'skills'
> {
  const { teams, trust, rules, shellResults, stats, audit } = openTestTeams()
  return { teams, trust, rules, shellResults, stats, audit, skills: async () => [] }
}
