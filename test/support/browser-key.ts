import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { wordsOf } from '../../src/protocol/http/handshake.ts'
import { protocolVersion } from '../../src/protocol/http/routes.ts'

/** A browser's key pair, as WebCrypto would make it. */
export function testKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return {
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
    sign: (words: string) =>
      sign('sha256', Buffer.from(words), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
        'base64url',
      ),
  }
}

export const nonce = () => randomBytes(32).toString('base64url')

/** The words of a handshake at a server. */
export function wordsAt(
  url: string,
  speaker: 'client' | 'server',
  said: { browser: string | null; client: string; server: string },
): string {
  return wordsOf(speaker, { protocol: protocolVersion, port: Number(new URL(url).port), ...said })
}

export async function post(url: string, path: string, json: unknown): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
}
