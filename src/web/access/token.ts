import { refusalOf } from '../../client/client-error.ts'
import { routes } from '../../protocol/routes.ts'
import { openClient } from './open-client.ts'
import { askSiblings } from './siblings.ts'

const place = 'tandem.token'

export const storedToken = () => sessionStorage.getItem(place)

export const forgetToken = () => sessionStorage.removeItem(place)

export type Access = { token: string } | { problem: 'none' | 'used' | 'unreachable' }

/** The token, from the start address, from this tab, or from another one. */
export async function findToken(): Promise<Access> {
  const secret = takeSecret()
  const exchanged = secret === null ? ({ problem: 'none' } as const) : await exchange(secret)
  if ('token' in exchanged) return keep(exchanged)
  const token = storedToken() ?? (await askSiblings())
  return token === null ? exchanged : keep({ token })
}

function keep(access: Access): Access {
  if ('token' in access) sessionStorage.setItem(place, access.token)
  return access
}

const secretIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('secret')

export const hasSecret = () => secretIn(location.hash) !== null

/** Read once and taken out of the address, so that it is in no history and in no copied link. */
function takeSecret(): string | null {
  const secret = secretIn(location.hash)
  if (secret !== null) history.replaceState(null, '', location.pathname)
  return secret
}

async function exchange(secret: string): Promise<Access> {
  try {
    return await openClient('').call(routes.exchange, { body: { secret } })
  } catch (error) {
    return { problem: refusalOf(error) ? 'used' : 'unreachable' }
  }
}
