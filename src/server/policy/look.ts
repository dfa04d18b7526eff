import type { Dirent } from 'node:fs'
import { readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Facts, FileFact, Look } from '../../session/policy/facts.ts'
import { isInIndex } from './git-index.ts'
import { isWithin } from '../../session/policy/paths.ts'
import { isSecretPath } from '../../session/policy/secrets.ts'
import { isMisleading } from '../../session/policy/split-names.ts'
import { projectAt } from './project.ts'

type LookFacts = Pick<Facts, 'workspace' | 'since' | 'opened' | 'home'>

/** Looks at a path for the policy, with links followed. Whatever is there, it does not throw. */
export async function lookAtPath({ path, for: wanted }: Look, facts: LookFacts): Promise<FileFact> {
  const real = await realpath(path).catch(() => null)
  const found = real === null ? null : await stat(real).catch(() => null)
  if (real === null || found === null) return { real: await realPlace(path), kind: 'none' }
  if (found.isDirectory()) return lookInto(real, wanted, facts)
  if (!found.isFile()) return { real, kind: 'other' }
  if (wanted !== 'kept') return { real, kind: 'file' }
  const isYoung = found.birthtimeMs >= (facts.since ?? Infinity)
  return { real, kind: 'file', isKept: found.size === 0 || isYoung || (await isInIndex(real)) }
}

async function lookInto(real: string, wanted: Look['for'], facts: LookFacts): Promise<FileFact> {
  const { workspace } = facts
  const folder = { real, kind: 'folder' } as const
  switch (wanted) {
    case 'tree':
      return { ...folder, tree: await treeOf(real) }
    case 'names':
      return { ...folder, names: await readdir(real).catch(() => []) }
    case 'secrets':
      return { ...folder, secrets: await secretsBelow(real) }
    case 'misleading':
      return { ...folder, misleading: await misleadingBelow(real) }
    case 'links':
      return { ...folder, links: await linksBelow(real, workspace) }
    case 'project':
      return { ...folder, project: await projectAt(real, facts) }
    case 'file':
    case 'kept':
      return folder
    default:
      return wanted satisfies never
  }
}

/** More files than this are not looked at one by one. */
const maxFiles = 5_000

/** The files in a folder and below; no link is followed. Null when they are very many, or cannot be read. */
async function treeOf(folder: string): Promise<readonly string[] | null> {
  const files: string[] = []
  const left = ['']
  for (let at = 0; at < left.length; at++) {
    const below = left[at] ?? ''
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => null)
    if (entries === null || files.length + left.length > maxFiles) return null
    for (const entry of entries) {
      const path = join(below, entry.name)
      if (entry.isDirectory()) left.push(path)
      else files.push(path)
    }
  }
  return files
}

/** Secrets by their names, the nearest first; null when there is too much to look at. Packages of others have only examples. */
async function secretsBelow(root: string): Promise<readonly string[] | null> {
  const secrets: string[] = []
  let left = maxFiles
  const folders = ['']
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) secrets.push(...(await secretAt(entry, path, root)))
      else if (!/^(?:node_modules|\.git)$/.test(entry.name)) folders.push(path)
    }
    left -= entries.length
    if (secrets.some((path) => !/(?:^|\/)\./.test(path))) return secrets
    if (left < 0) return null
  }
  return secrets
}

/** More names than this are not looked at. */
const maxNames = 20_000

/** The first file below whose name is taken for others; null when there are too many. Nothing is written to packages unasked. */
async function misleadingBelow(root: string): Promise<readonly string[] | null> {
  let left = maxNames
  const folders = ['']
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    left -= entries.length
    if (left < 0) return null
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (isMisleading(path)) return [path]
      if (entry.isDirectory() && !/^(?:node_modules|\.git)$/.test(entry.name)) folders.push(path)
    }
  }
  return []
}

/** The first link below that leads to a secret or to a folder elsewhere; null when there is too much to look at. */
async function linksBelow(root: string, workspace: string): Promise<readonly string[] | null> {
  const own = await realpath(workspace).catch(() => workspace)
  let left = maxNames
  const folders = ['']
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    left -= entries.length
    if (left < 0) return null
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isSymbolicLink() && (await leadsElsewhere(join(root, path), own))) return [path]
      if (entry.isDirectory() && !/^(?:node_modules|\.git)$/.test(entry.name)) folders.push(path)
    }
  }
  return []
}

/** A program's own files are none that anybody keeps a secret in. */
async function leadsElsewhere(path: string, workspace: string): Promise<boolean> {
  const real = await realpath(path).catch(() => path)
  if (isSecretPath(real)) return true
  const isFolder = (await stat(real).catch(() => null))?.isDirectory() === true
  return isFolder && !isWithin(real, workspace) && !isWithin(real, '/usr')
}

async function secretAt(entry: Dirent, path: string, root: string): Promise<readonly string[]> {
  const real = entry.isSymbolicLink() ? await linkOut(join(root, path), root) : join(root, path)
  return real === null || isSecretPath(real) || isSecretPath(path) ? [path] : []
}

/** The file that a link leads to; null when it is a folder elsewhere, which some programs enter. */
async function linkOut(path: string, root: string): Promise<string | null> {
  const real = await realpath(path).catch(() => path)
  const isFolder = (await stat(real).catch(() => null))?.isDirectory() === true
  return isFolder && !real.startsWith(`${root}/`) ? null : real
}

/** More links than this in a row lead in a circle. */
const maxLinks = 40

/** The place where a file would be that is not there yet; null when nobody can say. A link may lead there, too. */
async function realPlace(path: string, left = maxLinks): Promise<string | null> {
  if (left === 0) return null
  const known = await realpath(path).catch(() => null)
  if (known !== null) return known
  const link = await readlink(path).catch(() => null)
  if (link !== null) return realPlace(resolve(dirname(path), link), left - 1)
  const folder = await realPlace(dirname(path), left - 1)
  return folder === null ? null : join(folder, basename(path))
}
