import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A pipe at which a command stops until the test lets it go on, whether or not a server is there. */
export interface Gate {
  /** Shell code that waits here. It reads no terminal, so it is not a question to anybody. */
  wait: string
  /** Lets one wait go on; resolves when it has. */
  open(): Promise<void>
}

export function makeGate(folder: string, name = 'gate'): Gate {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  // Before the last one to open it has let go, it can be entered without a word: then once more.
  return { wait: `until read -r _ < ${path}; do :; done`, open: () => writeFile(path, 'on\n') }
}
