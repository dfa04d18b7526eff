import { realpath, stat } from 'node:fs/promises'
import { ok } from '../../protocol/result.ts'
import { discoverSkills } from '../../skill/discover.ts'
import { discoverCommandFiles } from '../command-files/discover.ts'
import { listPaths } from '../complete/list-paths.ts'
import { createPrograms } from '../complete/programs.ts'
import { listFiles } from '../files/ripgrep.ts'
import { readMentioned } from '../mentions/read.ts'
import { resolveMentions } from '../mentions/resolve.ts'
import { readGuide } from '../read-guide.ts'
import { hashOf } from '../store/blob-hash.ts'
import { isWorkTree } from '../teams/register-folder.ts'
import { repoFolder } from '../teams/repo-folder.ts'
import { findFolder, findShell } from '../terminal/shell-place.ts'
import { trustableFolder } from '../trustable-folder.ts'
import type { Asked, LookAt, OpName, Ops, ReadBlob, ReadInput } from './ops.ts'

type Operations = { [Op in OpName]: (input: Ops[Op]['in']) => Promise<Ops[Op]['out']> }

const programs = createPrograms()

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
  programs: ({ weights, ...query }) =>
    programs.find({ ...query, weight: (name) => weights[name] ?? 0 }),
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

export function perform<Op extends OpName>({ op, input }: Asked<Op>): Promise<Ops[Op]['out']> {
  return operations[op](input)
}

/** In this process: for tests, whose file systems answer. */
export const lookHere: LookAt = async (op, input) => ok(await perform({ op, input }))
