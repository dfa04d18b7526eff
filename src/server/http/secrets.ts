import { createHash, randomBytes } from 'node:crypto'

export interface OneTimeSecrets {
  issue(): string
  /** True once, for a secret of ours that is still young. */
  take(secret: string): boolean
  /** After the token was replaced, what was given out under the old one is void. */
  clear(): void
}

/** Ten minutes to open a printed address, and no more of them than anyone opens at once. */
export const startSecretRules = { lifeMs: 10 * 60_000, most: 20 }
/** A ticket is used the moment it arrives. */
export const ticketRules = { lifeMs: 30_000, most: 200 }

/** Random 256-bit words that work once. Kept as hashes, so that looking one up tells no timing. */
export function createOneTimeSecrets(rules: {
  lifeMs: number
  most: number
  /** Monotonic milliseconds. */
  now: () => number
}): OneTimeSecrets {
  const expiries = new Map<string, number>()

  return {
    issue() {
      for (const [key, expiry] of expiries) {
        // In order of issue: those in front are the oldest.
        if (expiry > rules.now() && expiries.size < rules.most) break
        expiries.delete(key)
      }
      const secret = randomSecret()
      expiries.set(hash(secret), rules.now() + rules.lifeMs)
      return secret
    },
    take(secret) {
      const key = hash(secret)
      const expiry = expiries.get(key)
      expiries.delete(key)
      return expiry !== undefined && rules.now() < expiry
    },
    clear() {
      expiries.clear()
    },
  }
}

export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
