import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is a folder or below it, part by part: `/ws-evil` is not in `/ws`. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
