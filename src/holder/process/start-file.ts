import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HolderStart } from '../../protocol/holder/holder.ts'

export type StartFile = ReturnType<typeof writeStartFile>

/** The script a new shell reads first, with what only this shell may know filled in. */
export function writeStartFile({ shell, nonce }: HolderStart, folder: string) {
  const path = join(folder, shell.startName ?? 'start')
  const quotedFolder = folder.replaceAll("'", String.raw`'\''`)
  const script = shell.startFile
    .replaceAll('@NONCE@', () => nonce)
    .replaceAll('@FOLDER@', () => quotedFolder)
  writeFileSync(path, script, { mode: 0o600 })
  return {
    args: shell.args.map((arg) => arg.replace('@START@', () => path)),
    /** Variables by which the shell finds it. */
    env: Object.fromEntries(
      Object.entries(shell.env ?? {}).map(([name, value]) => [
        name,
        value.replace('@FOLDER@', () => folder),
      ]),
    ),
    /** The shell has read it: the nonce must not stay on disk. */
    remove: () => rmSync(path, { force: true }),
  }
}
