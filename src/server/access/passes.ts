import { createHmac } from 'node:crypto'
import { ok, refused, type Result } from '../../base/result.ts'
import { type BrowserId, type Handshake, wordsOf } from '../../protocol/http/handshake.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { protocolVersion } from '../../protocol/http/routes.ts'
import { createHeldSecrets, isSameSecret, randomSecret } from './secrets.ts'
import type { ServerAccess } from './open-access.ts'

/** Clients hold a pass instead of the token: it is worth nothing to whoever takes this server's port later. */
export interface Passes {
  /** The server's half: nothing is told that a stranger could use. */
  hello(asked: { nonce: string; browser?: BrowserId | undefined }): Result<Greeting, Refusal>
  /** The client's half. */
  admit(said: { nonce: string; proof: string }): Result<{ pass: string }, Refusal>
  isGood(pass: string): boolean
  /** A browser was signed out, or, with null, the token replaced: what they opened is void. */
  revoke(browser: BrowserId | null): void
}

interface Greeting {
  nonce: string
  proof: string
}

export interface PassesDeps extends ServerAccess {
  port: () => number
  /** Monotonic milliseconds. */
  now: () => number
}

/** The second half follows the first at once. */
const handshakeRules = { lifeMs: 30_000, most: 500 }
/** Each tab and each program has one; an old one is renewed without a word. */
const passRules = { lifeMs: 24 * 3600_000, most: 1_000 }

export function createPasses(deps: PassesDeps): Passes {
  const { token, identity, browsers, port, now } = deps
  const begun = createHeldSecrets<Handshake>({ ...handshakeRules, now })
  const passes = createHeldSecrets<BrowserId | null>({ ...passRules, now })

  const mac = (words: string) =>
    createHmac('sha256', token.current()).update(words).digest('base64url')

  function isProof(handshake: Handshake, proof: string): boolean {
    const words = wordsOf('client', handshake)
    const { browser } = handshake
    return browser === null
      ? isSameSecret(proof, mac(words))
      : browsers.hasSigned({ id: browser, port: port(), words, proof })
  }

  return {
    hello({ nonce, browser = null }) {
      if (browser !== null && !browsers.isKnown(browser, port())) return refused(notSignedIn)
      const server = randomSecret()
      const handshake = { protocol: protocolVersion, port: port(), browser, client: nonce, server }
      begun.hold(server, handshake)
      const words = wordsOf('server', handshake)
      return ok({ nonce: server, proof: browser === null ? mac(words) : identity.sign(words) })
    },
    admit({ nonce, proof }) {
      const handshake = begun.take(nonce)
      if (handshake === null || !isProof(handshake, proof)) return refused(notProven)
      const pass = randomSecret()
      passes.hold(pass, handshake.browser)
      return ok({ pass })
    },
    isGood: (pass) => passes.has(pass),
    revoke: (browser) => passes.drop((of) => of === browser),
  }
}

const notSignedIn: Refusal = {
  code: 'unauthorized',
  message: 'this browser is not signed in here; `tandem web` prints an address that does it',
}

const notProven: Refusal = {
  code: 'unauthorized',
  message: 'the proof does not fit, or came too late; begin again with /v1/hello',
}
