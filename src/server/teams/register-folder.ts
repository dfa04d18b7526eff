import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Repo } from '../../protocol/team.ts'
import type { LookAt } from '../looker/ops.ts'
import type { Teams } from './teams.ts'

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
  const isHere = await lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  )
  const parent = dirname(folder)
  return isHere || (parent !== folder && isWorkTree(parent))
}
