import { statSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import { z } from 'zod'
import type { Refusal } from '../../protocol/refusal.ts'
import { ok, refused, type Result } from '../../protocol/result.ts'
import { type Repo, RepoName } from '../../protocol/team.ts'
import type { Database } from '../store/database.ts'
import { readRows, Text, toText } from '../store/rows.ts'
import { freeName } from './repo-name.ts'
import type { Teams } from './teams.ts'

const RepoRow = z.object({ name: RepoName, path: Text })

/** A list that a person still reads; a person’s whole disk is not a team’s. */
const most = 200

type Repos = Pick<Teams, 'repos' | 'addRepo' | 'removeRepo'>

/** The repos of all teams. `missingTeam` says why a team cannot have any. */
export function createRepos(
  database: Database,
  missingTeam: (team: string) => Refusal | null,
): Repos {
  function stored(team: string): readonly Repo[] {
    const rows = database.all('SELECT name, path FROM repos WHERE team = :team ORDER BY position', {
      team,
    })
    return readRows(database.file, RepoRow, rows)
  }

  function insert(team: string, path: string, wanted?: string): Result<Repo, Refusal> {
    const known = stored(team)
    const same = known.find((repo) => repo.path === path)
    if (same) return taken(`${path} is already the repo "${same.name}" of team "${team}".`)
    const names = new Set(known.map(({ name }) => name))
    if (wanted !== undefined && names.has(wanted))
      return taken(
        `The name "${wanted}" is taken by ${pathOf(known, wanted)}. Give another, or remove that one.`,
      )
    if (known.length >= most)
      return refused({ code: 'too_many', message: `Team "${team}" has ${most} repos already.` })
    const repo = { name: wanted ?? freeName(basename(path), names), path }
    database.run(
      `INSERT INTO repos (team, name, path, position)
       VALUES (:team, :name, :path, (SELECT coalesce(max(position), 0) + 1 FROM repos WHERE team = :team))`,
      { team, name: repo.name, path: toText(path) },
    )
    return ok(repo)
  }

  return {
    repos: (team) =>
      stored(team).map((repo) => (isThere(repo) ? repo : { ...repo, missing: true })),
    async addRepo(team, { path, name }) {
      const noTeam = missingTeam(team)
      if (noTeam) return refused(noTeam)
      if (name !== undefined && !RepoName.safeParse(name).success) return bad(badName(name))
      const folder = await folderAt(path)
      return folder.ok
        ? database.transaction(() => insert(team, folder.value, name))
        : bad(folder.error)
    },
    removeRepo(team, name) {
      const noTeam = missingTeam(team)
      if (noTeam) return refused(noTeam)
      return database.transaction(() => {
        const known = stored(team)
        const repo = known.find((each) => each.name === name)
        if (repo === undefined) return refused(unknownRepo(team, name, known))
        database.run('DELETE FROM repos WHERE team = :team AND name = :name', { team, name })
        return ok(repo)
      })
    },
  }
}

/** Where a folder really is, or a sentence why it cannot be a repo. */
async function folderAt(path: string): Promise<Result<string, string>> {
  const no = (why: string) => refused(`${JSON.stringify(path)} cannot be a repo: ${why}.`)
  if (!isAbsolute(path) || path.includes('\0')) return no('it is not an absolute path')
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? ok(real) : no('it is not a folder')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EACCES') return no('it may not be read')
    return no('there is no such folder')
  }
}

function isThere({ path }: Repo): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false
  }
}

function pathOf(repos: readonly Repo[], name: string): string {
  return repos.find((repo) => repo.name === name)?.path ?? name
}

function bad(message: string): { ok: false; error: Refusal } {
  return refused({ code: 'bad_repo', message })
}

function taken(message: string): { ok: false; error: Refusal } {
  return refused({ code: 'taken', message })
}

function badName(name: string): string {
  return `"${name}" cannot name a repo: use letters, digits, dot, underscore and hyphen, at most 64.`
}

function unknownRepo(team: string, name: string, known: readonly Repo[]): Refusal {
  const have =
    known.length === 0
      ? 'It has none yet. Add one with: /repo add <folder>'
      : `It has: ${known.map((repo) => repo.name).join(', ')}.`
  return { code: 'unknown_repo', message: `Team "${team}" has no repo "${name}". ${have}` }
}
