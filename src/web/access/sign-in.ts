import { signIn } from '../../client/server.ts'
import { type Access, noToken, provenAccess } from '../../client/wire/access.ts'
import { isStranger, refusalOf } from '../../client/wire/client-error.ts'
import { keepKey, keptKey, makeKey, proofsOf } from './browser-key.ts'
import type { LockReason } from './locked-page.tsx'
import { here, openClient } from './open-client.ts'

export type Found = { access: Access } | { problem: LockReason }

/** The way in: by the start address if there is one, else by the key that this browser keeps. */
export async function findAccess(): Promise<Found> {
  const secret = takeSecret()
  const problem = secret === null ? null : await exchange(secret)
  const key = await keptKey()
  if (key === null) return { problem: problem ?? 'none' }
  const access = provenAccess({ url: location.origin, fetch: askServer, name: here }, proofsOf(key))
  try {
    await access.headers()
    return { access }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** The key is kept all the same: whoever says no has not proved anything. */
function problemOf(error: unknown): LockReason {
  if (isStranger(error)) return 'stranger'
  return refusalOf(error)?.code === 'unauthorized' ? 'revoked' : 'unreachable'
}

const askServer: typeof fetch = (input, init) => fetch(input, init)

const secretIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('secret')

export const hasSecret = () => secretIn(location.hash) !== null

/** Read once and taken out of the address, so that it is in no history and in no copied link. */
function takeSecret(): string | null {
  const secret = secretIn(location.hash)
  if (secret !== null) history.replaceState(null, '', location.pathname)
  return secret
}

/** Signs this browser in; null when that worked. */
async function exchange(secret: string): Promise<LockReason | null> {
  try {
    const { publicKey, finish } = await makeKey()
    const name = navigator.userAgent.slice(0, 200)
    const answer = await signIn(openClient(noToken), { secret, key: publicKey, name })
    await keepKey(await finish(answer))
    return null
  } catch (error) {
    return refusalOf(error) ? 'used' : 'unreachable'
  }
}
