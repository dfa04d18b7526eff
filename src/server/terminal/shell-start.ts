import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { HolderStart } from '../../protocol/holder.ts'
import { ok, type Result } from '../../protocol/result.ts'
import { integrations } from './integration/pick-shell.ts'
import { findFolder, findShell } from './shell-place.ts'
import type { TerminalOptions } from './terminal.ts'

/** The session's byte log; the oldest goes first. */
const maxLogBytes = 256 * 1024 * 1024
/** While nobody looks: wide enough that tables and logs are not wrapped for the model. */
export const firstSize = { rows: 40, cols: 120 }

/** All a holder needs to start this shell here, and a word if "here" is elsewhere. */
export function prepareShell(
  { folder, shell, env }: TerminalOptions,
  { generation, cwd }: { generation: number; cwd: string },
): Result<{ start: HolderStart; notice: string | null }, string> {
  const found = findShell(shell, env)
  if (!found.ok) return found
  const place = findFolder(cwd, env)
  return ok({
    notice: place.notice,
    start: {
      folder,
      generation,
      nonce: randomBytes(12).toString('hex'),
      shell: integrations[found.value.name].start(found.value.file, env),
      cwd: place.cwd,
      env: { COLORTERM: 'truecolor', ...env, TERM: 'xterm-256color' },
      size: firstSize,
      privateRoots: [env['XDG_RUNTIME_DIR'], '/dev/shm', tmpdir()].filter(
        (root) => root !== undefined,
      ),
      maxLogBytes,
    },
  })
}
