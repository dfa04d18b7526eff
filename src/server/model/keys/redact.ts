import { type Model, ModelError } from '../model.ts'
import type { ProviderAddress } from '../list/ask-provider.ts'

/** Shorter words are no secrets, and stand in many sentences. */
const leastChars = 8
/** Words that were cut off may end within a key; so much of one is never told. */
const partChars = 16

const namesSecret = /auth|key|token|secret|cookie|session/i

/** The key, and headers that are one by their name, as words that a provider could repeat. */
function secretsOf({ apiKey, headers = {} }: Pick<ProviderAddress, 'apiKey' | 'headers'>) {
  const own = Object.entries(headers).flatMap(([name, value]) =>
    namesSecret.test(name) ? [value, ...value.split(' ')] : [],
  )
  const all = [apiKey ?? '', ...own].filter((word) => word.length >= leastChars)
  return [...all, ...all.map(encodeURIComponent)].sort((a, b) => b.length - a.length)
}

function redacted(text: string, secrets: readonly string[]): string {
  let told = text
  for (const secret of secrets) told = told.replaceAll(secret, '[key]')
  for (const secret of secrets)
    for (let length = secret.length - 1; length >= partChars; length -= 1)
      told = told.replaceAll(secret.slice(0, length), '[key]')
  return told
}

/** The same model, whose errors do not tell the key: providers, and servers between, repeat what they were sent. */
export function withoutSecrets(
  model: Model,
  address: Pick<ProviderAddress, 'apiKey' | 'headers'>,
): Model {
  const secrets = secretsOf(address)
  if (secrets.length === 0) return model
  return {
    ...model,
    async *reply(request, options) {
      try {
        yield* model.reply(request, options)
      } catch (error) {
        if (!(error instanceof ModelError)) throw error
        const { code, retryAfterMs, transient } = error
        const told = redacted(error.message, secrets)
        if (told === error.message) throw error
        throw new ModelError(told, { code, retryAfterMs, transient })
      }
    },
  }
}
