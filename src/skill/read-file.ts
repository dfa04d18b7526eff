import { realpath, open } from 'node:fs/promises'
import { sep } from 'node:path'
import { constants } from 'node:fs'
import { ok, refused, type Result } from '../base/result.ts'

/** Whether a path, links followed, is a folder or below it; both are already followed. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** The real path; null when it leads nowhere. */
export async function followed(path: string): Promise<string | null> {
  return realpath(path).catch(() => null)
}

/** A small regular file; a pipe or a device that lies in its place is not waited for. */
export async function readSmallFile(
  path: string,
  maxBytes: number,
): Promise<Result<Buffer, string>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return refused('is not a regular file')
      const bytes = Buffer.alloc(Math.min(stat.size, maxBytes) + 1)
      let length = 0
      for (;;) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length)
        length += bytesRead
        if (bytesRead === 0) break
        if (length > maxBytes) return refused(`is larger than ${maxBytes} bytes`)
        if (length === bytes.length) return refused('grew while it was read')
      }
      return ok(bytes.subarray(0, length))
    } finally {
      await file.close()
    }
  } catch (error) {
    return refused(whyNot(error))
  }
}

/** The same as text. */
export async function readSmallText(
  path: string,
  maxBytes: number,
): Promise<Result<string, string>> {
  const bytes = await readSmallFile(path, maxBytes)
  if (!bytes.ok) return bytes
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value))
  } catch {
    return refused('is not text in UTF-8')
  }
}

export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'is not there'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read'
  if (code === 'ELOOP') return 'is a link that leads to itself'
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`
}
