import { effect, type Effect } from './effect.ts'
import type { GitFact } from './facts.ts'
import { type Judging, lookAt } from './judging.ts'
import { matching, namesSecret } from './patterns.ts'
import type { Shown } from './programs/search.ts'
import { isInSecretFolder, isSecretPath } from './secrets.ts'
import type { Argument, Pattern } from './syntax/argument.ts'
import { pipeFile } from './syntax/word.ts'

/** Folders of others' code: what they declare is nobody's here. */
const foreign = /\/(?:node_modules|vendor|third_party|\.git|\.venv|venv|site-packages)(?:\/|$)/

/** The reason why git may not do something in a folder unasked; null when it may. */
export function repositoryAt(judging: Judging, folder: string, does: keyof GitFact): string | null {
  if (foreign.test(folder.slice(judging.facts.workspace.length)))
    return 'runs git in a folder of others'
  const project = lookAt(judging, folder, 'project')?.project
  return project === undefined ? 'nobody looked at the repository yet' : project.git[does]
}

/** The tasks that count in all folders where the shell may be. */
export function tasksAt(judging: Judging, folders: readonly string[] | null): ReadonlySet<string> {
  const { isTrusted, workspace } = judging.facts
  if (!isTrusted || folders === null || folders.length === 0) return new Set()
  const declared = folders.map((folder) => {
    if (!isWithin(folder, workspace) || foreign.test(folder.slice(workspace.length))) return []
    return lookAt(judging, folder, 'project')?.project?.tasks ?? []
  })
  return new Set(
    (declared[0] ?? []).filter((task) => declared.every((each) => each.includes(task))),
  )
}

/** A task may be another one since the files that say what it does have changed. */
export function changedTasks(
  judging: Judging,
  folders: readonly string[] | null,
): readonly Effect[] {
  const changes = (folders ?? []).flatMap(
    (folder) => lookAt(judging, folder, 'project')?.project?.changes ?? [],
  )
  return [...new Set(changes)].map((change) => effect('code', change))
}

/** As the kernel gets it: what `..` leads to is for it to say. */
export function joinPath(cwd: string, path: string): string {
  if (path.startsWith('/')) return path
  return `${cwd === '/' ? '' : cwd}/${path}`
}

/** Whether one path is another or below it, by its parts and not by its letters. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

const notLooked = effect('unclear', 'nobody looked at its files yet')

/** Reads files: those that an argument names, in any of the folders where the shell may be. */
export function readsFiles(
  judging: Judging,
  cwds: readonly string[] | null,
  argument: Argument,
): readonly Effect[] {
  return reads(judging, argument, { cwds, isDeep: false })
}

export interface DeepRead {
  cwds: readonly string[] | null
  shown: Shown
  /** Also what begins with a dot. */
  isHidden: boolean
  /** Also what links on its way lead to. */
  isFollowing?: boolean
}

/** Reads folders with all that is in them, and shows it, or some of it. */
export function readsDeep(
  judging: Judging,
  argument: Argument,
  { isFollowing = false, ...how }: DeepRead,
): readonly Effect[] {
  return [
    ...reads(judging, argument, { cwds: how.cwds, isDeep: true }),
    ...(how.shown === 'names' ? [] : below(judging, argument, how)),
    ...(isFollowing ? linksBelow(judging, how.cwds, argument) : []),
  ]
}

/** The paths that an argument stands for, where that can be said. */
function pathsOf(
  judging: Judging,
  cwds: readonly string[] | null,
  argument: Argument,
): readonly string[] {
  if (argument.is === 'odd' || argument.is === 'unknown') return []
  return (cwds ?? ['/']).flatMap((cwd) =>
    argument.is === 'text'
      ? [joinPath(cwd, argument.text)]
      : (matching(judging, cwd, argument.pattern) ?? []),
  )
}

/** Secrets in the folders that are read whole; elsewhere a search for any word may meet one. */
function below(judging: Judging, argument: Argument, how: DeepRead): readonly Effect[] {
  return pathsOf(judging, how.cwds, argument).flatMap((path) => {
    if (path === pipeFile) return []
    const fact = lookAt(judging, path)
    if (fact === undefined) return [notLooked]
    const real = fact.real ?? normal(path)
    const isFar = !isWithin(real, judging.facts.workspace) && !isWithin(real, '/usr')
    return fact.kind === 'file' || (how.shown === 'lines' && !isFar)
      ? []
      : secretsIn(judging, { path, real }, { ...how, isAll: isFar && how.shown === 'all' })
  })
}

function secretsIn(
  judging: Judging,
  { path, real }: { path: string; real: string },
  { isHidden, isAll }: { isHidden: boolean; isAll: boolean },
): readonly Effect[] {
  const fact = lookAt(judging, path, 'secrets')
  if (fact === undefined) return [notLooked]
  if (isAll || fact.secrets === null)
    return [effect('secret', `reads all of ${shown(real, judging.facts.home)}`, [real])]
  const [found] = (fact.secrets ?? []).filter((each) => isHidden || !/(?:^|\/)\./.test(each))
  return found === undefined
    ? []
    : [effect('secret', `reads ${found}, which is a secret by its name`)]
}

/** Looks into a folder whose whole content is secret, or tells about what is in it. */
export function looksInto(
  judging: Judging,
  cwds: readonly string[] | null,
  argument: Argument,
): readonly Effect[] {
  return pathsOf(judging, cwds, argument).flatMap((path): readonly Effect[] => {
    const fact = lookAt(judging, path)
    if (fact === undefined) return [notLooked]
    const at = [fact.real ?? '', normal(path)].find(isInSecretFolder)
    return at === undefined
      ? []
      : [effect('secret', `looks into ${shown(at, judging.facts.home)}, where secrets are`, [at])]
  })
}

/** Links in folders that lead to a secret or elsewhere, where what they lead to is read, too. */
export function linksBelow(
  judging: Judging,
  cwds: readonly string[] | null,
  argument: Argument,
): readonly Effect[] {
  return pathsOf(judging, cwds, argument).flatMap((path): Effect[] => {
    if (path === pipeFile) return []
    const fact = lookAt(judging, path, 'links')
    if (fact === undefined) return [notLooked]
    if (fact.links === null) return [effect('unclear', 'follows more links than anybody looked at')]
    return (fact.links ?? []).map((link) =>
      effect('secret', `follows the link ${link}, which leads to a secret or elsewhere`),
    )
  })
}

function reads(
  judging: Judging,
  argument: Argument,
  { cwds, isDeep }: { cwds: readonly string[] | null; isDeep: boolean },
): readonly Effect[] {
  if (argument.is === 'odd') return [effect('unclear', `it has ${argument.why}`)]
  if (argument.is === 'unknown')
    return [effect('secret', `nobody can say which file it reads: ${argument.why}`)]
  const path = argument.is === 'text' ? argument.text : null
  if (path?.startsWith('/') === true) return readsPath(judging, path, isDeep)
  if (cwds === null) return [effect('unclear', 'nobody can say in which folder it reads')]
  return cwds.flatMap((cwd) =>
    argument.is === 'text'
      ? readsPath(judging, joinPath(cwd, argument.text), isDeep)
      : readsPattern(judging, argument.pattern, { cwd, isDeep }),
  )
}

function readsPattern(
  judging: Judging,
  pattern: Pattern,
  { cwd, isDeep }: { cwd: string; isDeep: boolean },
): readonly Effect[] {
  const hidden = namesSecret(pattern)
  if (hidden !== null) return [effect('secret', hidden)]
  const paths = matching(judging, cwd, pattern)
  if (paths === undefined) return [notLooked]
  return paths.some((path) => path.startsWith(`${cwd}/-`) || path.startsWith(`${cwd}/+`))
    ? [effect('unclear', 'meets a file whose name looks like an option')]
    : paths.flatMap((path) => readsPath(judging, path, isDeep))
}

/** Devices and what the kernel tells of processes; a few are harmless. */
const devices = /^\/dev\/(?!null$)/
/** Names that gawk takes for a connection. */
const connections = /^\/inet[46]?\//
const processes =
  /^\/proc\/(?!(?:cpuinfo|meminfo|loadavg|version|uptime|stat|mounts|filesystems|swaps|partitions|diskstats|vmstat|sys\/kernel\/[a-z_]+|self\/(?:status|limits|cgroup|mounts|mountinfo)|net\/(?:dev|tcp|tcp6|udp|route))$)/

function readsPath(judging: Judging, path: string, isDeep: boolean): readonly Effect[] {
  if (path === pipeFile) return []
  const fact = lookAt(judging, path)
  if (fact === undefined) return [notLooked]
  const { home } = judging.facts
  const found = [...(fact.real === null ? [] : [fact.real]), path].flatMap((each): Effect[] => {
    const at = normal(each)
    if (isSecretPath(at))
      return [effect('secret', `reads ${shown(at, home)}, which is a secret by its name`, [at])]
    if (connections.test(at)) return [effect('network', `may open a connection: ${at}`)]
    if (devices.test(at) || processes.test(at)) return [effect('secret', `reads ${at}`, [at])]
    if (fact.kind === 'other' && at !== '/dev/null')
      return [effect('terminal', `waits for what comes out of ${shown(at, home)}`)]
    if (isDeep && /^\/(?:dev|proc|sys)$/.test(at))
      return [effect('secret', `reads all of ${at}, which has no end`)]
    if (isDeep && home !== null && isWithin(home, at))
      return [
        effect('secret', `reads all of ${shown(at, home)}, keys and passwords included`, [at]),
      ]
    return []
  })
  // Behind a link the real place says it all.
  return found.filter(({ kind }, at) => found.findIndex((each) => each.kind === kind) === at)
}

/** Without `.` and `..`: only to compare names, never to find a file. */
export function normal(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** A path as a person would write it. */
export function shown(path: string, home: string | null): string {
  return home !== null && home !== '/' && isWithin(path, home)
    ? `~${path.slice(home.length)}`
    : path
}
