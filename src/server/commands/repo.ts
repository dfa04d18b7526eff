import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ToolRequest } from '../../protocol/call.ts'
import type { Repo } from '../../protocol/team.ts'
import { actionName, type Arguments } from '../../session/commands/grammar.ts'
import { repo } from '../../session/commands/repo.ts'
import type { Teams } from '../teams/teams.ts'
import { changed, type EdgeAnswer, failed, readArguments, told } from './edge-answer.ts'

export interface TeamCommandDeps {
  teams: Teams
  team: string
  /** The session’s: relative paths begin there. */
  workspace: string
}

/** `/repo`: the folders of the team. */
export function repoCommand(deps: TeamCommandDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async (call) => {
    const read = readArguments(repo, call)
    if (!read.ok) return read.error
    const args = read.value
    switch (args.get(actionName) ?? '') {
      case 'add':
        return add(deps, args)
      case 'rm':
        return remove(deps, args)
      default:
        return told(reposText(deps.team, await deps.teams.seenRepos(deps.team)))
    }
  }
}

async function add(
  { teams, team, workspace }: TeamCommandDeps,
  args: Arguments,
): Promise<EdgeAnswer> {
  const path = resolve(workspace, expandHome(args.get('folder') ?? ''))
  const name = args.get('name')
  const added = await teams.addRepo(team, { path, ...(name !== undefined && { name }) })
  if (!added.ok) return failed(added.error.message)
  return changed(`The team’s repo "${added.value.name}" is now ${added.value.path}.`)
}

function remove({ teams, team }: TeamCommandDeps, args: Arguments): EdgeAnswer {
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
