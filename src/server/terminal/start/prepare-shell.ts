import { shellMarkName } from './end-strays.ts'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { HolderStart } from '../../../protocol/holder/holder.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import type { ShellName } from '../../../protocol/events/shell.ts'
import { integrations } from '../integration/pick-shell.ts'
import { findFolder, findShell } from './find-shell.ts'
import type { FindStart, LogCaps, TerminalOptions } from '../terminal-options.ts'

/** Days of ordinary work; half of what a run keeps is an hour's reading. */
const defaultCaps: LogCaps = { sessionBytes: 256 * 1024 * 1024, runBytes: 16 * 1024 * 1024 }
/** Nobody comes back to a prompt after a day. */
const idleMs = 24 * 60 * 60 * 1000
/** While nobody looks: wide enough that tables and logs are not wrapped for the model. */
export const firstSize = { rows: 40, cols: 120 }

/** All a holder needs to start this shell here, and a word if "here" is elsewhere. */
export async function prepareShell(
  {
    folder,
    shell,
    env,
    bin = '',
    markPrefix = '',
    limit,
    logCaps = defaultCaps,
    findStart = findHere,
  }: TerminalOptions,
  { generation, cwd }: { generation: number; cwd: string },
): Promise<Result<{ start: HolderStart; shell: ShellName; notice: string | null }, string>> {
  const looked = await findStart({ shell, cwd, env: startEnv(env) })
  if (!looked.ok) return refused(`No shell can start in ${cwd}: ${looked.error}.`)
  const { program: found, place } = looked.value
  if (!found.ok) return found
  const started = integrations[found.value.name].start(found.value.file, env)
  const { file, args } = limit?.(started.file, started.args) ?? started
  const startFile = started.startFile.replaceAll('@BIN@', () => quotable(bin))
  return ok({
    notice: place.notice,
    shell: found.value.name,
    start: {
      folder,
      generation,
      nonce: randomBytes(12).toString('hex'),
      shell: { ...started, file, args, startFile },
      cwd: place.cwd,
      env: {
        COLORTERM: 'truecolor',
        ...env,
        TERM: 'xterm-256color',
        [shellMarkName]: `${markPrefix}${randomBytes(12).toString('hex')}`,
      },
      size: firstSize,
      // The runtime folder is gone when its user logs out, while shells may live on.
      privateRoots: ['/dev/shm', env['XDG_RUNTIME_DIR'], tmpdir()].filter(
        (root) => root !== undefined,
      ),
      maxLogBytes: logCaps.sessionBytes,
      maxRunBytes: logCaps.runBytes,
      idleMs,
    },
  })
}

/** All that has a say in where a shell is, and where it starts. */
function startEnv({ PATH, HOME }: TerminalOptions['env']): Readonly<Record<string, string>> {
  return { ...(PATH !== undefined && { PATH }), ...(HOME !== undefined && { HOME }) }
}

const findHere: FindStart = async ({ shell, cwd, env }) =>
  ok({ program: await findShell(shell, env), place: await findFolder(cwd, env) })

/** The folder in single quotes of any shell. A search path cannot hold a colon, nor fish a backslash there. */
function quotable(folder: string): string {
  return /[:\\\n]/.test(folder) ? '' : folder.replaceAll("'", String.raw`'\''`)
}
