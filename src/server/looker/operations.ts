import { realpath, stat, open } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { ok, refused, type Result } from '../../base/result.ts'
import { constants } from 'node:fs'
import { limits } from '../../protocol/limits.ts'
import { clip, whole } from '../../base/text.ts'
import { z } from 'zod'
import { discoverSkills } from '../../skill/discover.ts'
import { discoverCommandFiles } from '../command-files/discover.ts'
import { listPaths, createPrograms } from '../complete/list-paths.ts'
import { listFiles } from '../files/ripgrep.ts'
import { readMentioned } from '../mentions/read.ts'
import { resolveMentions } from '../mentions/resolve.ts'
import { hashOf } from '../store/blob-hash.ts'
import { isWorkTree, repoFolder } from '../teams/repo-folder.ts'
import { findFolder, findShell } from '../terminal/start/find-shell.ts'
import type { LookAt, OpName, Ops, Question, ReadBlob, ReadInput } from './ops.ts'

/** Says where a folder really is, or why nobody can trust it. */
async function trustableFolder(folder: string): Promise<Result<string, string>> {
  if (!isAbsolute(folder) || folder.includes('\0')) return refused('it is not an absolute path')
  const real = await realpath(folder).catch(() => null)
  if (real === null) return refused('there is no such folder')
  if (!(await stat(real)).isDirectory()) return refused('it is not a folder')
  if (dirname(real) === real) return refused('with it everything on this machine would be')
  return ok(real)
}

/** More of it than this is not read at all. */
const mostBytes = 256 * 1024

/** Reads what a trusted project wants every agent to know. A link is not followed: it may lead anywhere. */
async function readGuide(workspace: string): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(workspace, 'AGENTS.md'), flags).catch(() => null)
  if (file === null) return ''
  try {
    if (!(await file.stat()).isFile()) return ''
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0)
    const text = buffer.toString('utf8', 0, bytesRead).trim()
    return text === '' ? '' : `[AGENTS.md of this project]\n${clip(whole(text), limits.guideChars)}`
  } catch {
    return ''
  } finally {
    await file.close()
  }
}

type Operations = { [Op in OpName]: (input: Ops[Op]['in']) => Promise<Ops[Op]['out']> }

const operations: Operations = {
  real: (path) => realpath(path).catch(() => null),
  folder: kindOf,
  folders: (paths) => Promise.all(paths.map(async (path) => (await kindOf(path)) === 'folder')),
  repo: repoFolder,
  trustable: trustableFolder,
  isWorkTree,
  skills: discoverSkills,
  async world(place) {
    const [skills, files, guide] = await Promise.all([
      discoverSkills(place),
      discoverCommandFiles(place),
      place.trusted ? readGuide(place.workspace) : '',
    ])
    return { skills, files, guide }
  },
  mentions: async ({ text, ...place }) => [...(await resolveMentions(text, place))],
  read,
  readFolder: read,
  paths: listPaths,
  list: ({ folder, limit }) => listFiles(folder, { limit }),
  programs: createPrograms(),
  start: async ({ shell, cwd, env }) => ({
    program: await findShell(shell, env),
    place: await findFolder(cwd, env),
  }),
}

async function kindOf(path: string): Promise<'folder' | 'missing' | 'other'> {
  const found = await stat(path).catch(() => null)
  if (found === null) return 'missing'
  return found.isDirectory() ? 'folder' : 'other'
}

/** Pictures go to the store by the name that it gives them. */
async function read({ read, workspace, images, kept }: ReadInput): Promise<Ops['read']['out']> {
  const blobs: ReadBlob[] = []
  const answer = await readMentioned(read, {
    workspace: await realpath(workspace).catch(() => workspace),
    images,
    kept: async () => kept,
    async saveBlob(bytes, mediaType) {
      blobs.push({ bytes: bytes.toString('base64'), mediaType })
      return hashOf(bytes)
    },
  })
  return { answer, blobs }
}

/** The server of the same build wrote it: an input is what its operation is typed for. */
export const Asked = z.custom<Question>((value) => Outline.safeParse(value).success)

const Outline = z.object({ op: z.string().refine((op) => Object.hasOwn(operations, op)) })

export function perform<Op extends OpName>({ op, input }: Question<Op>): Promise<Ops[Op]['out']> {
  return operations[op](input)
}

/** In this process: for tests, whose file systems answer. */
export const lookHere: LookAt = async (op, input) => ok(await perform({ op, input }))
