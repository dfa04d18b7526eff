import { join } from 'node:path'
import { tokenFile } from '../process/data-folder.ts'
import { type Browsers, openBrowsers, type Identity, openIdentity } from './browsers.ts'
import { openTokenFile, type TokenFile } from './secrets.ts'

/** The secrets that say who may talk to the server, and by which it shows that it is the server. */
export interface ServerAccess {
  token: TokenFile
  identity: Identity
  browsers: Browsers
}

export interface AccessOptions {
  /** False after an unclean end: somebody else may have been sent the token. */
  isTokenKept: boolean
  diagnose(message: string, error: unknown): void
}

export async function openAccess(
  home: string,
  { isTokenKept, diagnose }: AccessOptions,
): Promise<ServerAccess> {
  const token = await openTokenFile(join(home, tokenFile))
  if (!isTokenKept)
    await token.rotate().catch((error: unknown) => diagnose('the token is not stored', error))
  return {
    token,
    identity: await openIdentity(join(home, 'identity.pem')),
    browsers: await openBrowsers({ path: join(home, 'browsers.json'), clock: Date.now }),
  }
}
