import { existsSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

/** Waits for a file that another process makes: there is no event for it, so its folder is watched. */
export async function untilThere(path: string): Promise<void> {
  const stop = new AbortController()
  const changes = watch(dirname(path), { signal: stop.signal })
  if (!existsSync(path))
    for await (const { filename } of changes) if (filename === basename(path)) break
  stop.abort()
}
