import { relative } from 'node:path'
import { limits } from '../../protocol/limits.ts'
import { isInside } from './is-inside.ts'
import { listFiles } from './ripgrep.ts'

/** Whether an ignore file of the folder, or above it, names a file in it. What cannot be told is not. */
export async function isIgnored(folder: string, file: string): Promise<boolean> {
  if (!isInside(folder, file)) return false
  const near = relative(folder, file)
  const list = await listFiles(folder, { limit: limits.listedFiles, near })
  return list.ok && list.value.isWhole && !list.value.files.includes(near)
}
