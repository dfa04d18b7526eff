import { realpath, stat, lstat } from 'node:fs/promises'
import { isAbsolute, dirname, join } from 'node:path'
import { ok, refused, type Result } from '../../base/result.ts'
import type { Repo } from '../../protocol/http/team.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Teams } from './teams.ts'

/** The real path of a folder, or why it cannot be a repo. */
export async function repoFolder(path: string): Promise<Result<string, string>> {
  if (!isAbsolute(path) || path.includes('\0')) return refused('it is not an absolute path')
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? ok(real) : refused('it is not a folder')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return refused(code === 'EACCES' ? 'it may not be read' : 'there is no such folder')
  }
}

/** The most letters a repo’s name has. */
const most = 64

/** A folder’s name as a repo’s: what cannot stand in one becomes a hyphen; numbered where taken. */
export function freeName(folder: string, taken: ReadonlySet<string>): string {
  const valid = folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  const name = valid.slice(0, most).replace(/-+$/, '') || 'repo'
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? '' : `-${count}`
    const numbered = name.slice(0, most - ending.length) + ending
    if (!taken.has(numbered)) return numbered
  }
}

/**
 * The folder one starts in becomes the team’s first repo by itself, if it is in a git work tree and
 * the team has none. Null when there was nothing to do.
 */
export async function registerFolder(
  { teams, look }: { teams: Teams; look: LookAt },
  team: string,
  workspace: string,
): Promise<Repo | null> {
  if (teams.repos(team).length > 0) return null
  // The data folder may lie in a home that is kept with git; the team’s own folder is no repo.
  if (workspace === teams.folder(team)) return null
  const looked = await look('isWorkTree', workspace)
  if (!looked.ok || !looked.value) return null
  const added = await teams.addRepo(team, { path: workspace })
  return added.ok ? added.value : null
}

/** Seen from the file system alone: git itself would obey a configuration that nobody trusts yet. */
export async function isWorkTree(folder: string): Promise<boolean> {
  const git = await lstat(join(folder, '.git')).catch(() => null)
  const parent = dirname(folder)
  return git !== null || (parent !== folder && isWorkTree(parent))
}
