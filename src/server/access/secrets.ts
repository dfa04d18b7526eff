import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readOrMake, writePrivate } from './private-file.ts'

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

export interface SecretRules {
  lifeMs: number
  most: number
  /** Monotonic milliseconds. */
  now: () => number
}

/** Random 256-bit words that work once. */
export function createOneTimeSecrets(rules: SecretRules): OneTimeSecrets {
  const held = createHeldSecrets<true>(rules)
  return {
    issue() {
      const secret = randomSecret()
      held.hold(secret, true)
      return secret
    },
    take: (secret) => held.take(secret) !== null,
    clear: () => held.drop(() => true),
  }
}

/** Secrets and what they stand for; the oldest go when there are too many. */
export interface HeldSecrets<T> {
  hold(secret: string, value: T): void
  has(secret: string): boolean
  take(secret: string): T | null
  drop(which: (value: T) => boolean): void
}

/** Kept as hashes, so that looking one up tells no timing. */
export function createHeldSecrets<T>({ lifeMs, most, now }: SecretRules): HeldSecrets<T> {
  const held = new Map<string, { value: T; expiry: number }>()

  function find(key: string): { value: T } | null {
    const found = held.get(key)
    return found !== undefined && now() < found.expiry ? found : null
  }

  return {
    hold(secret, value) {
      for (const [key, { expiry }] of held) {
        // In order of issue: those in front are the oldest.
        if (expiry > now() && held.size < most) break
        held.delete(key)
      }
      held.set(hash(secret), { value, expiry: now() + lifeMs })
    },
    has: (secret) => find(hash(secret)) !== null,
    take(secret) {
      const key = hash(secret)
      const found = find(key)
      held.delete(key)
      return found?.value ?? null
    },
    drop(which) {
      for (const [key, { value }] of held) if (which(value)) held.delete(key)
    },
  }
}

export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Compared as hashes: equal lengths, whatever was sent. */
export function isSameSecret(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

const hash = (secret: string) => digest(secret).toString('base64')

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** The one token of this data folder. */
export interface TokenFile {
  current(): string
  rotate(): Promise<string>
}

const shape = /^[A-Za-z0-9_-]{43}\n?$/

/** Reads the token, or makes one. The folder must exist and belong to the user alone. */
export async function openTokenFile(path: string): Promise<TokenFile> {
  const text = await readOrMake(path, {
    isGood: (found) => shape.test(found),
    make: () => `${randomSecret()}\n`,
  })
  let token = text.trim()
  return {
    current: () => token,
    async rotate() {
      // The old one is void though the disk may have no room for the new one.
      token = randomSecret()
      await writePrivate(path, `${token}\n`)
      return token
    },
  }
}
