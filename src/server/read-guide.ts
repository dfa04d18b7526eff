import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../protocol/limits.ts'
import { clip, whole } from '../session/clip.ts'

/** More of it than this is not read at all. */
const mostBytes = 256 * 1024

/** What a trusted project wants every agent to know. A link is not followed: it may lead anywhere. */
export async function readGuide(workspace: string): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(workspace, 'AGENTS.md'), flags).catch(() => null)
  if (file === null) return ''
  try {
    if (!(await file.stat()).isFile()) return ''
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0)
    const text = buffer.toString('utf8', 0, bytesRead).trim()
    return text === '' ? '' : `[AGENTS.md of this project]\n${clip(whole(text), limits.guideChars)}`
  } catch {
    return ''
  } finally {
    await file.close()
  }
}
