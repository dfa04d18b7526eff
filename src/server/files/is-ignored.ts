import { relative } from 'node:path'
import { limits } from '../../protocol/limits.ts'
import { isInside } from './is-inside.ts'
import { listFiles } from './ripgrep.ts'

/** Who reads a file does not wait for a folder that is slow to list: it is only said in passing. */
const patienceMs = 2_000

/** Whether an ignore file of the folder, or above it, names a file in it. What cannot be told is not. */
export async function isIgnored(folder: string, file: string): Promise<boolean> {
  if (!isInside(folder, file)) return false
  const near = relative(folder, file)
  const signal = AbortSignal.timeout(patienceMs)
  const list = await listFiles(folder, { limit: limits.listedFiles, near, signal })
  return list.ok && list.value.isWhole && !list.value.files.includes(near)
}
