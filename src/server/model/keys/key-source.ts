import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { ok, refused, type Result } from '../../../base/result.ts'
import { ProviderKey } from '../../../protocol/provider.ts'
import { readRegular } from '../../files/read-regular.ts'
import type { Provider } from '../providers.ts'

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
  /** The key, null where none is needed; the error is a sentence for a person. */
  get(provider: Provider): Promise<Result<string | null, string>>
  /** A provider refused the key that a command gave: the next one is asked for anew. */
  distrust(provider: Provider): void
}

/** Tokens that a command gives last an hour or so; a keychain may ask the person each time. */
const keptMs = 5 * 60_000
/** A person may have to unlock a keychain. */
const commandMs = 60_000
const commandBytes = 64 * 1024

export function createKeySource({ env, commandEnv, now }: KeySourceDeps): KeySource {
  const given = new Map<string, { at: number; key: Promise<Result<string, string>> }>()

  function fromCommand(command: string): Promise<Result<string, string>> {
    const kept = given.get(command)
    if (kept && now() - kept.at < keptMs) return kept.key
    const key = runKeyCommand(command, commandEnv)
    given.set(command, { at: now(), key })
    void key.then(({ ok: isGood }) => {
      if (!isGood && given.get(command)?.key === key) given.delete(command)
    })
    return key
  }

  const fromEnv = ({ keys }: Provider) => keys.map((name) => env[name]).find((value) => value)

  return {
    has({ own = {}, ...provider }) {
      return Boolean(own.key ?? own.keyCommand ?? own.keyFile ?? fromEnv(provider))
    },
    async get(provider) {
      const { label, own = {} } = provider
      if (own.key !== undefined) return ok(own.key)
      if (own.keyCommand !== undefined) {
        const key = await fromCommand(own.keyCommand)
        return key.ok ? key : refused(`The command for the key of ${label} ${key.error}.`)
      }
      if (own.keyFile === undefined) return ok(fromEnv(provider) ?? null)
      const key = readKeyFile(own.keyFile)
      return key.ok ? key : refused(`The file with the key of ${label} ${key.error}.`)
    },
    distrust({ own = {} }) {
      if (own.keyCommand !== undefined) given.delete(own.keyCommand)
    },
  }
}

/** Nothing of what it prints is shown: it may be the key. */
function runKeyCommand(command: string, env: Env): Promise<Result<string, string>> {
  const options = { env: { ...env }, timeout: commandMs, maxBuffer: commandBytes, cwd: homedir() }
  return new Promise((settle) => {
    const child = execFile('/bin/sh', ['-c', command], options, (error, printed) => {
      if (error?.killed) settle(refused(`took more than ${commandMs / 1_000} s`))
      else if (error) settle(refused(`failed (exit ${String(error.code ?? 'unknown')})`))
      else settle(keyIn(printed, 'printed no key'))
    })
    child.stdin?.end()
  })
}

function readKeyFile(path: string): Result<string, string> {
  try {
    const file = resolve(homedir(), path.replace(/^~\//, ''))
    return keyIn(readRegular(file), `${path} holds no key`)
  } catch {
    return refused(`${path} cannot be read`)
  }
}

/** The first line with anything on it. */
function keyIn(text: string, problem: string): Result<string, string> {
  const [line = ''] = text.trim().split('\n', 1)
  const key = ProviderKey.safeParse(line)
  return key.success ? ok(key.data) : refused(problem)
}
