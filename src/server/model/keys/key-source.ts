import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { ok, refused, type Result } from '../../../base/result.ts'
import { ProviderKey } from '../../../protocol/provider.ts'
import { readRegular } from '../../files/read-regular.ts'
import type { Provider } from '../providers.ts'
import { createKeyCommands } from './key-command.ts'
import { keyIn } from './key-in.ts'

type Env = Readonly<Record<string, string>>

export interface KeySourceDeps {
  /** Keys by the name of their variable. */
  env: Env
  /** The environment of a command that prints a key: the person’s, without our secrets. */
  commandEnv: Env
  now: () => number
}

/** The keys of providers, from wherever they come. */
export interface KeySource {
  /** Whether one is set up; whether it can be had shows when it is wanted. */
  has(provider: Provider): boolean
  /** The key, null where none is needed; the error is a sentence for a person. A command is ended with who waits for it. */
  get(provider: Provider, signal?: AbortSignal): Promise<Result<string | null, string>>
  /** A provider refused the key that a command gave: the next one is asked for anew. */
  distrust(provider: Provider): void
}

export function createKeySource({ env, commandEnv, now }: KeySourceDeps): KeySource {
  const commands = createKeyCommands({ env: commandEnv, now })

  /** The first variable with anything in it. */
  const variableOf = ({ keys }: Pick<Provider, 'keys'>) =>
    keys.find((name) => (env[name] ?? '').trim() !== '')

  function fromEnv(provider: Provider): Result<string | null, string> {
    const name = variableOf(provider)
    if (name === undefined) return ok(null)
    const key = ProviderKey.safeParse(env[name])
    if (key.success) return ok(key.data)
    const why = key.error.issues[0]?.message ?? 'it is too long'
    return refused(`The variable with the key of ${provider.label} (${name}) holds no key: ${why}.`)
  }

  return {
    has({ own = {}, ...provider }) {
      return Boolean(own.key ?? own.keyCommand ?? own.keyFile ?? variableOf(provider))
    },
    async get(provider, signal) {
      const { label, own = {} } = provider
      if (own.key !== undefined) return ok(own.key)
      if (own.keyCommand !== undefined) {
        const key = await commands.get(own.keyCommand, signal)
        return key.ok ? key : refused(`The command for the key of ${label} ${key.error}.`)
      }
      if (own.keyFile === undefined) return fromEnv(provider)
      const key = readKeyFile(own.keyFile)
      return key.ok ? key : refused(`The file with the key of ${label} ${key.error}.`)
    },
    distrust({ own = {} }) {
      if (own.keyCommand !== undefined) commands.forget(own.keyCommand)
    },
  }
}

function readKeyFile(path: string): Result<string, string> {
  try {
    const file = resolve(homedir(), path.replace(/^~\//, ''))
    return keyIn(readRegular(file), `${path} holds no key`)
  } catch {
    return refused(`${path} cannot be read`)
  }
}
