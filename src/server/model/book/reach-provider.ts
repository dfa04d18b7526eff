import { ok, type Result } from '../../../base/result.ts'
import type { KeySource } from '../keys/key-source.ts'
import type { ProviderAddress } from '../list/ask-provider.ts'
import type { ModelSettings } from '../models.ts'
import type { Provider } from '../providers.ts'
import type { NamedModel } from '../setup-for.ts'
import { ownAddress } from './all-providers.ts'

interface ReachDeps {
  settings: Pick<ModelSettings, 'env' | 'baseUrl'>
  source: KeySource
}

/** Address and key of a provider, from wherever they are set. */
export function createReach({ settings, source }: ReachDeps) {
  function addressOf(one: Provider): string | null {
    // One without such a variable has an address that a person named for it.
    if (one.baseUrlName === '') return one.baseUrl
    const own = one.id === 'openai-compatible' ? settings.baseUrl : null
    return settings.env[one.baseUrlName]?.trim() || own || one.baseUrl
  }

  /** Whether it is asked at another address than its own. */
  function isMoved(found: Result<NamedModel, string>): boolean {
    if (!found.ok) return false
    const { provider } = found.value
    return addressOf(provider) !== ownAddress(provider.id)
  }

  /** The setting that is missing before it can be used, as a sentence. */
  function problemOf(one: Provider): string | null {
    const { id, label, needsKey, keys: names, baseUrlName } = one
    if (needsKey && !source.has(one)) {
      const add = `tandem models add ${id}`
      if (names.length === 0) return `${label} needs a key: ${add}`
      return `${label} needs a key: set ${names.join(' or ')}. Or: ${add}`
    }
    const address = addressOf(one)
    if (id === 'demo' || isAddress(address)) return null
    const set = `set ${baseUrlName || 'its baseUrl'}`
    if (address === null) return `${id} needs the server’s address: ${set}.`
    return `${address} is no address of a server: ${set} to one that begins with http:// or https://, such as http://127.0.0.1:8000/v1`
  }

  async function reach(
    one: Provider,
    signal?: AbortSignal,
  ): Promise<Result<ProviderAddress, string>> {
    const key = await source.get(one, signal)
    if (!key.ok) return key
    const { adapter, own } = one
    return ok({ adapter, baseUrl: addressOf(one) ?? '', apiKey: key.value, headers: own?.headers })
  }

  return { addressOf, isMoved, problemOf, reach }
}

/** `localhost:8000` parses, too: its protocol would be `localhost`. */
function isAddress(address: string | null): boolean {
  return address !== null && /^https?:\/\//i.test(address) && URL.canParse(address)
}
