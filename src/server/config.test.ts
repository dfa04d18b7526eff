import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'

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

test('[CONF3] a file that cannot be read as configuration is named, with what is wrong in it', () => {
  write('{ "modle": "x" }')
  expect(() => readConfig({}, env)).toThrow(/config\.json: .*modle/)
  write('{ nonsense')
  expect(() => readConfig({}, env)).toThrow(/config\.json is not valid JSON/)
  write('{ "port": 99999 }')
  expect(() => readConfig({}, env)).toThrow(/config\.json: port/)
})

test('[CONF4] the shell gets the person’s environment without what is ours', () => {
  Object.assign(env, { TANDEM_API_KEY: 'k', TMUX: 'x', npm_config_a: '1', EDITOR: 'vi' })
  const { shellEnv } = readConfig({}, env)
  expect(shellEnv).toEqual({
    HOME: home,
    EDITOR: 'vi',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
  })
})

test('[CONF5] times are written in seconds, and 0 means none', () => {
  write('{ "modelRunSeconds": 0, "personSilenceSeconds": 1.5 }')
  expect(readConfig({}, env).limits).toMatchObject({ modelRunMs: 0, personSilenceMs: 1_500 })
})

test('[CONF6] what a shell may use is bounded as the file says; unsaid, the defaults hold', () => {
  expect(readConfig({}, env).processLimits).toEqual({})
  write('{ "processes": 64, "memoryMegabytes": 2048 }')
  expect(readConfig({}, env).processLimits).toEqual({ tasks: 64, memoryBytes: 2 * 2 ** 30 })
})
