import type { ProcFiles } from './proc-files.ts'

/** Enough for thousands of sockets; what is beyond is taken for not listening. */
const maxBytes = 256 * 1024

/** Whether one of these sockets (`socket:[<inode>]`) takes connections: its owner is a server. */
export async function isListening(
  files: ProcFiles,
  pid: number,
  links: readonly string[],
): Promise<boolean> {
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]))
  for (const [table, line] of tables) {
    const sockets = await files.later(`/proc/${pid}/net/${table}`, maxBytes)
    if (typeof sockets === 'string') continue
    for (const [, inode] of sockets.text.matchAll(line)) if (inodes.has(inode)) return true
  }
  return false
}

/** State 0A is LISTEN; for unix sockets it is the flag 00010000. */
const inet = /^\s*\d+: \S+ \S+ 0A \S+ \S+ \S+\s+\d+\s+\d+ (\d+)/gm
const tables = [
  ['tcp', inet],
  ['tcp6', inet],
  ['unix', /^\S+ \S+ \S+ 00010000 \S+ \S+\s+(\d+)/gm],
] as const
