import { basename } from 'node:path'
import { z } from 'zod'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { type Repo, RepoName } from '../../protocol/http/team.ts'
import type { LookAt } from '../looker/ops.ts'
import { type Database, Text, toText } from '../store/database.ts'
import { freeName } from './repo-folder.ts'
import type { Teams } from './teams.ts'

const RepoRow = z.object({ name: RepoName, path: Text })

/** A list that a person still reads; a person’s whole disk is not a team’s. */
const most = 200

type Repos = Pick<Teams, 'repos' | 'seenRepos' | 'addRepo' | 'removeRepo'>

export interface ReposDeps {
  /** Why a team cannot have any. */
  missing: (team: string) => Refusal | null
  look: LookAt
}

/** The repos of all teams. */
export function createRepos(database: Database, { missing: missingTeam, look }: ReposDeps): Repos {
  function stored(team: string): readonly Repo[] {
    const sql = 'SELECT name, path FROM repos WHERE team = :team ORDER BY position'
    return database.all(RepoRow, sql, { team })
  }

  function insert(team: string, path: string, wanted?: string): Result<Repo, Refusal> {
    const known = stored(team)
    const same = known.find((repo) => repo.path === path)
    if (same) return no('taken', `${path} is already the repo "${same.name}" of team "${team}".`)
    const names = new Set(known.map(({ name }) => name))
    if (wanted !== undefined && names.has(wanted))
      return no(
        'taken',
        `The name "${wanted}" is taken by ${pathOf(known, wanted)}. Give another, or remove that one.`,
      )
    if (known.length >= most) return no('too_many', `Team "${team}" has ${most} repos already.`)
    const repo = { name: wanted ?? freeName(basename(path), names), path }
    database.run(
      `INSERT INTO repos (team, name, path, position)
       VALUES (:team, :name, :path, (SELECT coalesce(max(position), 0) + 1 FROM repos WHERE team = :team))`,
      { team, name: repo.name, path: toText(path) },
    )
    return ok(repo)
  }

  return {
    repos: stored,
    async seenRepos(team) {
      const repos = stored(team)
      const there = await look(
        'folders',
        repos.map(({ path }) => path),
      )
      // A folder that does not answer is not gone.
      const isMissing = (at: number) => there.ok && there.value[at] === false
      return repos.map((repo, at) => (isMissing(at) ? { ...repo, missing: true } : repo))
    },
    async addRepo(team, { path, name }) {
      const noTeam = missingTeam(team)
      if (noTeam) return refused(noTeam)
      if (name !== undefined && !RepoName.safeParse(name).success)
        return no('bad_repo', badName(name))
      const looked = await look('repo', path)
      const folder = looked.ok ? looked.value : looked
      return folder.ok
        ? database.transaction(() => insert(team, folder.value, name))
        : no('bad_repo', `${JSON.stringify(path)} cannot be a repo: ${folder.error}.`)
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

function pathOf(repos: readonly Repo[], name: string): string {
  return repos.find((repo) => repo.name === name)?.path ?? name
}

function no(code: Refusal['code'], message: string): { ok: false; error: Refusal } {
  return refused({ code, message })
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
