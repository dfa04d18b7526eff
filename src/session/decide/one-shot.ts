import { ok, refused, type Result } from '../../base/result.ts'
import type { Shell } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import type { Repo } from '../../protocol/http/team.ts'
import { limits } from '../../protocol/limits.ts'
import { type Append, badCommand, refuse } from '../append.ts'
import type { Catalogue, World } from '../catalogue.ts'
import { openCommand } from '../commands/command.ts'
import { advance } from '../due.ts'

export type ShellOrder = Pick<Shell, 'repo' | 'cwd' | 'timeoutMs' | 'source'> & {
  command: string
  /** The order as it was typed or sent. */
  text: string
}

/** The same as `/shell`, from a program. */
export function decideShell(append: Append, intent: Shell, catalogue: Catalogue): Refusal | null {
  return startOneShot(append, { ...intent, text: intent.command }, catalogue)
}

/** A command beside the terminal, in a folder of the team’s; it is under way at once. */
export function startOneShot(
  append: Append,
  order: ShellOrder,
  catalogue: Catalogue,
): Refusal | null {
  const command = order.command.trim()
  if (command === '') return refuse('empty_input', 'There is no command to run.')
  const bad = badCommand(command)
  if (bad) return bad
  const { state } = append
  if (state.calls.length >= limits.waitingCalls)
    return refuse('queue_full', `${limits.waitingCalls} commands are waiting already.`)
  const place = placeOf(order, catalogue, state.workspace)
  if (!place.ok) return place.error
  const run = {
    ...place.value,
    command,
    lane: 'background',
    source: order.source,
    timeoutMs: order.timeoutMs ?? state.limits.oneShotMs,
    private: state.private,
    thenTurn: false,
  } as const
  openCommand(append, { name: 'shell', text: order.text }, { run })
  advance(append, catalogue)
  return null
}

function placeOf(
  { repo: name, cwd, source }: ShellOrder,
  { repos, teamFolder, home }: World,
  workspace: string,
): Result<{ cwd: string; repo?: string }, Refusal> {
  if (cwd?.includes('\0')) return refused(refuse('bad_usage', 'A folder has no NUL in its name.'))
  const whole = cwd ? wholePath(cwd, home) : null
  if (name && whole !== null)
    return refused(refuse('bad_usage', 'Give --repo, or a whole path with --cwd; not both.'))
  if (whole !== null) return ok({ cwd: tidy(whole) })
  if (name) {
    const found = repos.find((each) => each.name === name)
    return found ? placeIn(found, cwd, found.path) : refused(unknownRepo(name, repos))
  }
  // Programs are promised the first repo, wherever their session is.
  const own = source === 'slash' ? repoAround(workspace, repos) : undefined
  return own ? placeIn(own, cwd, cwd ? own.path : workspace) : inFirst(repos, cwd, teamFolder)
}

function inFirst(
  [first]: World['repos'],
  cwd: ShellOrder['cwd'],
  teamFolder: string,
): Result<{ cwd: string; repo?: string }, Refusal> {
  return placeIn(first, cwd, first?.path ?? teamFolder)
}

function placeIn(
  repo: Repo | undefined,
  cwd: ShellOrder['cwd'],
  base: string,
): Result<{ cwd: string; repo?: string }, Refusal> {
  if (repo?.missing) return refused(goneRepo(repo))
  return ok({ cwd: cwd ? tidy(`${base}/${cwd}`) : base, ...(repo && { repo: repo.name }) })
}

/** The repo that a folder lies in, the innermost if they lie in each other. */
export function repoAround(folder: string, repos: readonly Repo[]): Repo | undefined {
  const around = repos.filter(({ path }) => folder === path || folder.startsWith(`${path}/`))
  return around.toSorted((a, b) => b.path.length - a.path.length)[0]
}

function wholePath(path: string, home: string): string | null {
  if (path === '~' || path.startsWith('~/')) return `${home}${path.slice(1)}`
  return path.startsWith('/') ? path : null
}

/** The path without `.`, `..` and doubled slashes. */
function tidy(path: string): string {
  const kept: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') kept.pop()
    else if (name !== '' && name !== '.') kept.push(name)
  }
  return `/${kept.join('/')}`
}

function goneRepo({ name, path }: Repo): Refusal {
  const what = `The folder of repo "${name}" is gone: ${path}.`
  return refuse('bad_repo', `${what} Put it back, or forget it with /repo rm ${name}.`)
}

function unknownRepo(name: string, repos: World['repos']): Refusal {
  const known = repos.map((repo) => repo.name)
  const hint =
    known.length === 0
      ? 'The team has none yet: add one with /repo add <path>.'
      : `There are: ${known.join(', ')}.`
  return refuse('unknown_repo', `There is no repo "${name}". ${hint}`, { repos: known })
}
