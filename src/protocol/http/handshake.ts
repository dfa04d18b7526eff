import { z } from 'zod'
import { limits } from '../limits.ts'
import type { Route } from './route.ts'

/** Both sides sign it with everything they say: a client of another version would misread the answer. */
export interface Handshake {
  protocol: number
  /** The port that the client dialled and the server listens on: a proof cannot be passed on from another one. */
  port: number
  /** The browser whose key signs; null: both know the token. */
  browser: string | null
  /** 256 random bits of each side, used once. */
  client: string
  server: string
}

/** The words that one side signs. The speaker comes first, so that neither can be given back its own. */
export function wordsOf(speaker: 'client' | 'server', handshake: Handshake): string {
  const { protocol, port, browser, client, server } = handshake
  return ['tandem', speaker, protocol, port, browser ?? '-', client, server].join('\n')
}

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]*$/, 'must be base64url')
/** 256 bits as text. */
const Nonce = Base64Url.length(43)
const Proof = Base64Url.max(120)
/** A P-256 public key as SPKI. */
const PublicKey = Base64Url.min(100).max(200)

export const BrowserId = z.uuid()
export type BrowserId = z.infer<typeof BrowserId>

/** A browser that was signed in, as a person sees and revokes it. */
export const BrowserInfo = z.object({
  id: BrowserId,
  /** The browser's own words, for people. */
  name: z.string(),
  /** Its key counts on this port alone. */
  port: z.number().int(),
  createdAt: z.number(),
  usedAt: z.number(),
})
export type BrowserInfo = z.infer<typeof BrowserInfo>

/** How a client and a server show each other who they are, before either is told anything. */
export const accessRoutes = {
  hello: {
    method: 'POST',
    path: '/v1/hello',
    summary: 'The server proves that it knows the token, or a browser’s pinned key',
    access: 'open',
    body: z.strictObject({ nonce: Nonce, browser: BrowserId.optional() }),
    bodyBytes: limits.tinyBodyBytes,
    answer: z.object({ nonce: Nonce, proof: Proof }),
  },
  pass: {
    method: 'POST',
    path: '/v1/passes',
    summary:
      'The client proves the same, and gets a pass that lives as long as this server process',
    access: 'open',
    body: z.strictObject({ nonce: Nonce, proof: Proof }),
    bodyBytes: limits.tinyBodyBytes,
    status: 201,
    answer: z.object({ pass: z.string() }),
  },
  exchange: {
    method: 'POST',
    path: '/v1/exchange',
    summary: 'Sign a browser’s public key in, with the one-time secret of a start address',
    access: 'open',
    body: z.strictObject({
      secret: z.string().max(200),
      key: PublicKey,
      name: z.string().max(200),
    }),
    bodyBytes: limits.tinyBodyBytes,
    answer: z.object({ browser: BrowserId, server: PublicKey }),
  },
  browsers: {
    method: 'GET',
    path: '/v1/browsers',
    summary: 'The browsers that are signed in',
    answer: z.object({ browsers: z.array(BrowserInfo) }),
  },
  removeBrowser: {
    method: 'DELETE',
    path: '/v1/browsers/:id',
    summary: 'Sign a browser out',
    params: z.object({ id: BrowserId }),
    answer: z.object({ id: BrowserId }),
  },
} as const satisfies Record<string, Route>
