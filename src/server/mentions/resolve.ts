import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MentionedFile } from '../../session/catalogue.ts'
import { findMentions } from '../../session/decide/attach.ts'
import { isSecretPath } from '../../session/policy/secrets.ts'
import { isInside } from '../files/ripgrep.ts'

export interface Place {
  /** Paths are relative to it, and what lies in it is read without asking. */
  workspace: string
  home: string
}

/** Prompts name a handful of files; the rest of the bound is for text that only looks like paths. */
const mostLooks = 1_000

/** More files than these for one prompt would leave no room for anything else. */
const mostFiles = 50

/** As the kernel has it. */
const longestPath = 4_096

/** The files and folders that a prompt's paths name, by the path as typed. Only looks: nothing is opened. */
export async function resolveMentions(
  text: string,
  { workspace, home }: Place,
): Promise<ReadonlyMap<string, MentionedFile>> {
  const found = new Map<string, MentionedFile>()
  const places = findMentions(text)
  const root = places.length === 0 ? null : await realpath(workspace).catch(() => null)
  if (root === null) return found
  const looked = new Set<string>()
  for (const readings of places)
    for (const { path } of readings) {
      if (found.has(path)) break
      if (looked.size >= mostLooks || found.size >= mostFiles) return found
      if (looked.has(path)) continue
      looked.add(path)
      const file = await look(path, { workspace: root, home })
      if (file === null) continue
      found.set(path, file)
      break
    }
  return found
}

/** Paths of one prompt are looked at one after another: a burst would hold up everybody’s files. */
async function look(path: string, { workspace, home }: Place): Promise<MentionedFile | null> {
  const full = absolute(path, { workspace, home })
  if (full.length > longestPath || full.includes('\0')) return null
  const file = await realpath(full).catch(() => null)
  const stats = file === null ? null : await stat(file).catch(() => null)
  const kind = stats === null ? null : kindOf(stats)
  if (file === null || kind === null || isKernels(file)) return null
  // `@test` is said of many things; a folder is meant by its slash.
  if (kind === 'folder' && !path.includes('/')) return null
  return { file, kind, ask: reason({ full, file, workspace }) }
}

function absolute(path: string, { workspace, home }: Place): string {
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return path.startsWith('/') ? path : join(workspace, path)
}

/** To open a pipe is to wait for it; a device or socket is no text at all. */
function kindOf(stats: Stats): MentionedFile['kind'] | null {
  if (stats.isFile()) return 'file'
  return stats.isDirectory() ? 'folder' : null
}

/** The kernel makes these files while they are read: environments, memory, devices. */
function isKernels(file: string): boolean {
  return ['/proc', '/sys', '/dev'].some((folder) => isInside(folder, file))
}

interface Judged {
  /** As typed, made absolute. */
  full: string
  /** Links followed. */
  file: string
  workspace: string
}

/** Read by a model is sent to its provider, and kept in the log. */
function reason({ full, file, workspace }: Judged): string | null {
  const reasons: string[] = []
  if (!isInside(workspace, file)) {
    const isLink = isInside(workspace, full)
    reasons.push(
      isLink ? 'a link leads there, out of the workspace' : 'it is outside the workspace',
    )
  }
  if (isSecretPath(file) || isSecretPath(full)) reasons.push('it may hold secrets')
  return reasons.length === 0 ? null : `The model would read ${file}: ${reasons.join(', and ')}.`
}
