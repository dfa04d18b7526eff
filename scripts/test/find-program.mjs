import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The folders of the search path, and those of servers, which are not in everybody's. */
export const programFolders = [
  ...new Set([...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']),
].filter((folder) => folder.startsWith('/'))

/** The path of a program, or of a file that is named by its whole path; null if it is not there. */
export function findProgram(name) {
  if (name.startsWith('/')) return isAllowed(name, constants.R_OK) ? name : null
  const paths = programFolders.map((folder) => join(folder, name))
  return paths.find((path) => isAllowed(path, constants.X_OK)) ?? null
}

function isAllowed(path, mode) {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
