import { ok, refused, type Result } from '../../base/result.ts'

/** Why an archive is not to be used at all. Readers throw it, and `attempt` makes it a value. */
export class BadArchive extends Error {}

export async function attempt<T>(read: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await read())
  } catch (error) {
    if (error instanceof BadArchive) return refused(error.message)
    throw error
  }
}

/** A name as an archive has it, for a sentence about it. */
export function shown(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path)
}

/** A name in an archive as text. */
export function decodeName(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BadArchive('a name in it is not in UTF-8')
  }
}
