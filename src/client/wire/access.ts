import { type Handshake, wordsOf } from '../../protocol/http/handshake.ts'
import { protocolVersion, routes } from '../../protocol/http/routes.ts'
import { createCall } from './call.ts'
import { ClientError } from './client-error.ts'

/** How a client shows that it may. Whatever it shows, the server has shown its own first. */
export interface Access {
  headers(): Promise<Readonly<Record<string, string>>>
  /**
   * Another server may be there by now: it has to prove itself before it is sent anything. True when the next headers
   * may be better ones.
   */
  doubt(): boolean
}

/** For a server that was proven otherwise: by the file system, or because it is in this process. */
export const noToken: Access = { headers: async () => ({}), doubt: () => false }

export function bearer(word: string): Access {
  return { headers: async () => ({ authorization: `Bearer ${word}` }), doubt: () => false }
}

/** A secret that client and server share, or the keys of which each knows the other's half. */
export interface Proofs {
  /** The browser that signs; null: both know the token. */
  browser: string | null
  isServers(words: string, proof: string): Promise<boolean>
  sign(words: string): Promise<string>
}

export interface ProvenOptions {
  url: string
  fetch: typeof globalThis.fetch
  name?: string
}

/** Access by a pass that the server gives out once both have proved themselves; it is worth nothing to another one. */
export function provenAccess(options: ProvenOptions, proofs: Proofs): Access {
  let pass: Promise<string> | null = null

  function begin(): Promise<string> {
    const began = shakeHands(options, proofs)
    began.catch(() => {
      if (pass === began) pass = null
    })
    return began
  }

  return {
    async headers() {
      pass ??= begin()
      return { authorization: `Bearer ${await pass}` }
    },
    doubt() {
      pass = null
      return true
    },
  }
}

async function shakeHands(options: ProvenOptions, proofs: Proofs): Promise<string> {
  const call = createCall({ ...options, access: noToken })
  const { browser } = proofs
  const client = randomNonce()
  const asked = { nonce: client, ...(browser !== null && { browser }) }
  const { nonce: server, proof } = await call(routes.hello, { body: asked })
  const port = Number(new URL(options.url).port || 80)
  const handshake: Handshake = { protocol: protocolVersion, port, browser, client, server }
  if (!(await proofs.isServers(wordsOf('server', handshake), proof))) throw stranger(options.url)
  const own = await proofs.sign(wordsOf('client', handshake))
  return (await call(routes.pass, { body: { nonce: server, proof: own } })).pass
}

function stranger(url: string): ClientError {
  return new ClientError(
    `the program at ${url} is not your Tandem server, or not of this version. Nothing was sent to it.`,
    { kind: 'stranger' },
  )
}

/** Access for who has the token; the token itself is never sent. */
export function tokenAccess({ token, ...options }: ProvenOptions & { token: string }): Access {
  const key = crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(token),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  )
  // Told to whoever asks for headers; until then nobody listens.
  key.catch(() => undefined)
  return provenAccess(options, {
    browser: null,
    isServers: async (words, proof) =>
      crypto.subtle.verify(
        'HMAC',
        await key,
        fromBase64Url(proof),
        new TextEncoder().encode(words),
      ),
    sign: async (words) =>
      toBase64Url(await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(words))),
  })
}

export function toBase64Url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Nonsense reads as nothing, which no proof is. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(plain, (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function randomNonce(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)).buffer)
}
