import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program is, as a shell would find it. */
export function programPath(name: string): string {
  const found = (process.env['PATH'] ?? '').split(delimiter).find((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error(`${name} is not installed`)
  return join(found, name)
}
