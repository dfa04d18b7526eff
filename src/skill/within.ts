import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'

/** Whether a path, links followed, is a folder or below it; both are already followed. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Where a path leads; null when nowhere. */
export async function followed(path: string): Promise<string | null> {
  return realpath(path).catch(() => null)
}
