import { signIn } from '../../client/server.ts'
import {
  type Access,
  noToken,
  provenAccess,
  fromBase64Url,
  toBase64Url,
  type Proofs,
} from '../../client/wire/access.ts'
import { isStranger, refusalOf } from '../../client/wire/client-error.ts'
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

/** This browser's right to come back. The private key cannot be read, by us or by anybody who takes this address. */
interface BrowserKey {
  browser: string
  own: CryptoKey
  /** The server that this browser was signed in to. */
  server: CryptoKey
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const signing = { name: 'ECDSA', hash: 'SHA-256' }

/** A new key pair; `finish` pins the server that took its public half. */
async function makeKey(): Promise<{
  publicKey: string
  finish(answer: { browser: string; server: string }): Promise<BrowserKey>
}> {
  const pair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  return {
    publicKey: toBase64Url(await crypto.subtle.exportKey('spki', pair.publicKey)),
    finish: async ({ browser, server }) => ({
      browser,
      own: pair.privateKey,
      server: await crypto.subtle.importKey('spki', fromBase64Url(server), algorithm, true, [
        'verify',
      ]),
    }),
  }
}

function proofsOf({ browser, own, server }: BrowserKey): Proofs {
  const bytes = (words: string) => new TextEncoder().encode(words)
  return {
    browser,
    isServers: (words, proof) =>
      crypto.subtle.verify(signing, server, fromBase64Url(proof), bytes(words)),
    sign: async (words) => toBase64Url(await crypto.subtle.sign(signing, own, bytes(words))),
  }
}

/** The only place that keeps a key without letting anybody read it. */
async function keys(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open('tandem-access', 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('keys'))
  return (await done(opening)).transaction('keys', mode).objectStore('keys')
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('no place for keys')))
  })
}

const place = 'browser'

async function keepKey(key: BrowserKey): Promise<void> {
  await done((await keys('readwrite')).put(key, place))
}

async function keptKey(): Promise<BrowserKey | null> {
  try {
    return isKey(await done((await keys('readonly')).get(place)))
  } catch {
    return null
  }
}

function isKey(value: unknown): BrowserKey | null {
  if (typeof value !== 'object' || value === null) return null
  if (!('browser' in value) || !('own' in value) || !('server' in value)) return null
  const { browser, own, server } = value
  const isWhole =
    typeof browser === 'string' && own instanceof CryptoKey && server instanceof CryptoKey
  return isWhole ? { browser, own, server } : null
}
