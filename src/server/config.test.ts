import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { providers } from './model/providers.ts'

let home: string
let env: Record<string, string>

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-config-'))
  mkdirSync(join(home, '.config', 'tandem'), { recursive: true })
  env = { HOME: home }
})

afterEach(() => rmSync(home, { recursive: true }))

function write(text: string): void {
  writeFileSync(join(home, '.config', 'tandem', 'config.json'), text)
}

test('[CONF2] a flag goes before the environment, that before the file, that before the default', () => {
  expect(readConfig({}, env).models.model).toBe(null)
  write('{ "model": "file/m" }')
  expect(readConfig({}, env).models.model).toBe('file/m')
  env['TANDEM_MODEL'] = 'env/m'
  expect(readConfig({}, env).models.model).toBe('env/m')
  expect(readConfig({ model: 'flag/m' }, env).models.model).toBe('flag/m')
})

test('[CONF1] a file that cannot be read as configuration is named, with what is wrong in it', () => {
  write('{ "modle": "x" }')
  expect(() => readConfig({}, env)).toThrow(/config\.json: .*modle/)
  write('{ nonsense')
  expect(() => readConfig({}, env)).toThrow(/config\.json is not valid JSON/)
  write('{ "port": 99999 }')
  expect(() => readConfig({}, env)).toThrow(/config\.json: port/)
})

test('[CONF7] the shell gets the person’s environment without what is ours', () => {
  Object.assign(env, { TANDEM_API_KEY: 'k', TMUX: 'x', npm_config_a: '1', EDITOR: 'vi' })
  const { shellEnv } = readConfig({}, env)
  expect(shellEnv).toEqual({
    HOME: home,
    EDITOR: 'vi',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
  })
})

const providerNames = providers
  .flatMap(({ keys, baseUrlName }) => [...keys, baseUrlName])
  .filter((name) => name !== '')
const name = fc.oneof(
  fc.constantFrom(...providerNames),
  fc.constantFrom('TANDEM_API_KEY', 'TANDEM_BASE_URL', 'TANDEM_HOME', 'TANDEM_MODEL'),
  fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,12}$/),
)

test('[CONF7] ∀ whatever is in the environment, a shell gets no secret of the server that is not kept by name', () => {
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), fc.uniqueArray(name), (more, keep) => {
      write(JSON.stringify({ shellKeepEnv: keep }))
      const { shellEnv } = readConfig({}, { ...more, HOME: home, TANDEM_DIALECT: undefined })
      for (const secret of [...providerNames, 'TANDEM_HOME', 'TANDEM_MODEL'])
        expect(shellEnv[secret]).toBe(keep.includes(secret) ? more[secret] : undefined)
    }),
  )
})

test('[CONF7] a variable that the configuration reads a key from is the server’s own', () => {
  write('{ "providers": { "work": { "baseUrl": "https://x.example/v1", "keyEnv": "WORK_KEY" } } }')
  Object.assign(env, { WORK_KEY: 'k', GROQ_API_KEY: 'g', OTHER_KEY: 'mine' })
  const { shellEnv, models } = readConfig({}, env)
  expect(shellEnv).not.toHaveProperty('WORK_KEY')
  expect(shellEnv).not.toHaveProperty('GROQ_API_KEY')
  expect(shellEnv).toHaveProperty('OTHER_KEY', 'mine')
  expect(models.commandEnv).not.toHaveProperty('WORK_KEY')
  expect(models.env).toMatchObject({ WORK_KEY: 'k', GROQ_API_KEY: 'g' })
})

test('[CONF7] a name that is none is refused', () => {
  write('{ "shellKeepEnv": ["OPENAI_API_KEY=x"] }')
  expect(() => readConfig({}, env)).toThrow(/shellKeepEnv\.0: not the name of a variable/)
})

test('[CONF2] times are written in seconds, and 0 means none', () => {
  write('{ "modelRunSeconds": 0, "personSilenceSeconds": 1.5 }')
  expect(readConfig({}, env).limits).toMatchObject({ modelRunMs: 0, personSilenceMs: 1_500 })
  expect(readConfig({}, env).models.times).toEqual({ idleMs: 300_000, totalMs: 1_800_000 })
  write('{ "modelSilenceSeconds": 900, "modelReplySeconds": 0 }')
  expect(readConfig({}, env).models.times).toEqual({ idleMs: 900_000, totalMs: 0 })
})

test('[CONF7] prices are named a model each, whole and not below nothing', () => {
  expect(readConfig({}, env)).not.toHaveProperty('prices')
  const own = { 'local/qwen': { input: 0.1, output: 0.2, cacheRead: 0 } }
  write(JSON.stringify({ prices: own }))
  expect(readConfig({}, env).prices).toEqual(own)
  for (const bad of [{ input: 1 }, { input: -1, output: 1 }, { input: 1, output: 1, cached: 1 }]) {
    write(JSON.stringify({ prices: { 'local/qwen': bad } }))
    expect(() => readConfig({}, env)).toThrow(/prices\.local\/qwen/)
  }
})

test('[CONF7] what a shell may use is bounded as the file says; unsaid, the defaults hold', () => {
  expect(readConfig({}, env).processLimits).toEqual({})
  write('{ "processes": 64, "memoryMegabytes": 2048 }')
  expect(readConfig({}, env).processLimits).toEqual({ tasks: 64, memoryBytes: 2 * 2 ** 30 })
})
