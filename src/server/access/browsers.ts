import {
  createPublicKey,
  type KeyObject,
  randomUUID,
  verify,
  createPrivateKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto'
import { z } from 'zod'
import { BrowserInfo, type BrowserId } from '../../protocol/http/handshake.ts'
import { readPrivate, writePrivate, readOrMake } from './private-file.ts'

const Browser = BrowserInfo.extend({ key: z.string() })
type Browser = z.infer<typeof Browser>

/** The browsers that were signed in, by their public keys. */
export interface Browsers {
  list(): readonly BrowserInfo[]
  /** Null when that is no key of ours. */
  add(browser: { name: string; key: string; port: number }): Promise<BrowserId | null>
  isKnown(id: BrowserId, port: number): boolean
  /** True when the browser with this id, which counts on this port alone, signed these words. */
  hasSigned(signed: { id: BrowserId; port: number; words: string; proof: string }): boolean
  remove(id: BrowserId): Promise<boolean>
}

export interface BrowsersDeps {
  path: string
  clock: () => number
}

/** More than anybody signs in; the one that was not used for longest goes. */
const most = 50
/** A key that nobody used for so long is forgotten. */
const keptMs = 90 * 24 * 3600_000
/** How exactly it is kept when a browser was last here. */
const usedMs = 3600_000

export async function openBrowsers({ path, clock }: BrowsersDeps): Promise<Browsers> {
  let browsers = parse(await readPrivate(path)).filter(({ usedAt }) => clock() - usedAt < keptMs)

  async function keep(next: readonly Browser[]): Promise<void> {
    browsers = [...next].sort((a, b) => b.usedAt - a.usedAt).slice(0, most)
    await writePrivate(path, JSON.stringify(browsers))
  }

  function find(id: BrowserId, port: number): Browser | undefined {
    return browsers.find((browser) => browser.id === id && browser.port === port)
  }

  return {
    list: () => browsers.map((browser) => BrowserInfo.parse(browser)),
    async add({ name, key, port }) {
      if (keyOf(key) === null) return null
      const id = randomUUID()
      const at = clock()
      await keep([...browsers, { id, name: shown(name), key, port, createdAt: at, usedAt: at }])
      return id
    },
    isKnown: (id, port) => find(id, port) !== undefined,
    hasSigned({ id, port, words, proof }) {
      const browser = find(id, port)
      const key = browser && keyOf(browser.key)
      if (!browser || !key) return false
      const signature = Buffer.from(proof, 'base64url')
      if (!verify('sha256', Buffer.from(words), { key, dsaEncoding }, signature)) return false
      if (clock() - browser.usedAt > usedMs)
        void keep(
          browsers.map((one) => (one.id === id ? { ...one, usedAt: clock() } : one)),
          // A full disk costs only the time of the last visit.
        ).catch(() => undefined)
      return true
    },
    async remove(id) {
      const left = browsers.filter((browser) => browser.id !== id)
      if (left.length === browsers.length) return false
      await keep(left)
      return true
    },
  }
}

/** A file that was damaged costs a new sign-in, no more. */
function parse(text: string | null): Browser[] {
  try {
    return z.array(Browser).parse(JSON.parse(text ?? '[]'))
  } catch {
    return []
  }
}

function keyOf(spki: string): KeyObject | null {
  try {
    const der = Buffer.from(spki, 'base64url')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === curve ? key : null
  } catch {
    return null
  }
}

/** A name is shown in a terminal: printable, and short. */
function shown(name: string): string {
  return (
    name
      .replaceAll(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 100) || 'a browser'
  )
}

/** The key pair of a data folder: a page knows its server by it. Its private half never leaves the server. */
export interface Identity {
  /** SPKI in base64url. */
  publicKey: string
  /** ECDSA with SHA-256, in base64url, as WebCrypto writes it. */
  sign(words: string): string
}

/** P-256, for every browser has it; keys that cannot be exported hold it in all of them. */
const curve = 'prime256v1'
const dsaEncoding = 'ieee-p1363'

export async function openIdentity(path: string): Promise<Identity> {
  const pem = await readOrMake(path, { isGood: (text) => read(text) !== null, make })
  const key = createPrivateKey(pem)
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64url'),
    sign: (words) => sign('sha256', Buffer.from(words), { key, dsaEncoding }).toString('base64url'),
  }
}

function make(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function read(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyDetails?.namedCurve === curve ? key : null
  } catch {
    return null
  }
}
