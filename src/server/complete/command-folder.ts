import { resolve } from 'node:path'
import type { CommandPlace } from '../../session/complete.ts'
import type { CompleterDeps } from './source.ts'

/** Where a command line would run, and so what its paths are relative to. */
export async function folderOf(place: CommandPlace, deps: CompleterDeps): Promise<string> {
  if (place === 'terminal') {
    const { cwd, workspace } = deps.place()
    return cwd ?? workspace
  }
  const { repos, teamFolder } = await deps.world()
  const repo = place.repo === null ? repos[0] : repos.find(({ name }) => name === place.repo)
  return resolve(repo?.path ?? teamFolder, place.cwd ?? '.')
}
