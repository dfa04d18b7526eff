import { fromBase64Url, toBase64Url, type Proofs } from '../../client/wire/access.ts'

/** This browser's right to come back. The private key cannot be read, by us or by anybody who takes this address. */
export interface BrowserKey {
  browser: string
  own: CryptoKey
  /** The server that this browser was signed in to. */
  server: CryptoKey
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const signing = { name: 'ECDSA', hash: 'SHA-256' }

/** A new key pair; `finish` pins the server that took its public half. */
export async function makeKey(): Promise<{
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

export function proofsOf({ browser, own, server }: BrowserKey): Proofs {
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

export async function keepKey(key: BrowserKey): Promise<void> {
  await done((await keys('readwrite')).put(key, place))
}

export async function keptKey(): Promise<BrowserKey | null> {
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
