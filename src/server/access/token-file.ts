import { randomSecret } from './secrets.ts'
import { readOrMake, writePrivate } from './private-file.ts'

/** The one token of this data folder. */
export interface TokenFile {
  current(): string
  rotate(): Promise<string>
}

const shape = /^[A-Za-z0-9_-]{43}\n?$/

/** Reads the token, or makes one. The folder must exist and belong to the user alone. */
export async function openTokenFile(path: string): Promise<TokenFile> {
  const text = await readOrMake(path, {
    isGood: (found) => shape.test(found),
    make: () => `${randomSecret()}\n`,
  })
  let token = text.trim()
  return {
    current: () => token,
    async rotate() {
      // The old one is void though the disk may have no room for the new one.
      token = randomSecret()
      await writePrivate(path, `${token}\n`)
      return token
    },
  }
}
