import { BadArchive } from './bad-archive.ts'

/** A name in an archive as text. */
export function decodeName(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BadArchive('a name in it is not in UTF-8')
  }
}
