import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { readOrMake } from './private-file.ts'

/** The key pair of a data folder: a page knows its server by it. Its private half never leaves the server. */
export interface Identity {
  /** SPKI in base64url. */
  publicKey: string
  /** ECDSA with SHA-256, in base64url, as WebCrypto writes it. */
  sign(words: string): string
}

/** P-256, for every browser has it; keys that cannot be exported hold it in all of them. */
export const curve = 'prime256v1'
export const dsaEncoding = 'ieee-p1363'

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
