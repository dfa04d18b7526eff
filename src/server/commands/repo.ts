import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Repo } from '../../protocol/http/team.ts'
import { actionName, type Arguments } from '../../session/commands/grammar.ts'
import { repo } from '../../session/commands/team.ts'
import {
  changed,
  type EdgeAnswer,
  type EdgeSession,
  failed,
  told,
  withArguments,
} from './edge-answer.ts'

/** `/repo`: the folders of the team. */
export const repoCommand = withArguments(repo, async (args, session) => {
  switch (args.get(actionName) ?? '') {
    case 'add':
      return add(args, session)
    case 'rm':
      return remove(args, session)
    default:
      return told(reposText(session.team, await session.teams.seenRepos(session.team)))
  }
})

/** Relative paths begin in the session’s workspace. */
async function add(args: Arguments, { teams, team, workspace }: EdgeSession): Promise<EdgeAnswer> {
  const path = resolve(workspace, expandHome(args.get('folder') ?? ''))
  const name = args.get('name')
  const added = await teams.addRepo(team, { path, ...(name !== undefined && { name }) })
  if (!added.ok) return failed(added.error.message)
  return changed(`The team’s repo "${added.value.name}" is now ${added.value.path}.`)
}

function remove(args: Arguments, { teams, team }: EdgeSession): EdgeAnswer {
  const removed = teams.removeRepo(team, args.get('name') ?? '')
  if (!removed.ok) return failed(removed.error.message)
  const { name, path } = removed.value
  return changed(`${path} is no longer the team’s repo "${name}". Its files are untouched.`)
}

export function expandHome(path: string): string {
  return /^~(?=\/|$)/.test(path) ? join(homedir(), path.slice(1)) : path
}

/** One a line; the first is where `/shell` works unless it is told otherwise. */
export function reposText(team: string, repos: readonly Repo[]): string {
  if (repos.length === 0)
    return `Team "${team}" has no repo: /shell works in the team’s own folder. Add one with: /repo add <folder>`
  const width = Math.max(...repos.map(({ name }) => name.length))
  return repos
    .map(({ name, path, missing }, index) => {
      const note = missing
        ? ` (its folder is gone: /repo rm ${name})`
        : index === 0
          ? ' (default)'
          : ''
      return `${name.padEnd(width)}  ${path}${note}`
    })
    .join('\n')
}
