import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { createWorld, type World } from './cli.ts'

let model: ScriptedModel
let world: World
beforeAll(async () => {
  model = await startScriptedModel()
  world = createWorld({ TANDEM_BASE_URL: model.baseUrl })
  const config = join(world.env.HOME, '.config', 'tandem')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'config.json'), '{"personSilenceSeconds": 2}')
})
afterAll(async () => {
  await world.end()
  await model.close()
})

/** The cli in a real terminal, made by util-linux's `script`; answers once it is asked. */
async function inTerminal(args: string, answer: { to: string; keys: string }) {
  const line = `${process.execPath} ${world.entry} ${args}`
  const terminal = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: world.folder,
    env: world.env,
  })
  let screen = ''
  let isAnswered = false
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    if (isAnswered || !screen.includes(answer.to)) return
    isAnswered = true
    terminal.stdin.write(answer.keys)
  })
  await once(terminal, 'close')
  return { code: terminal.exitCode, screen }
}

const asked = 'Run it?'
const proposal = '<shell>rm -rf dist</shell>'

test('[CLI57] a person at a terminal is asked, and a yes runs the command', async () => {
  mkdirSync(join(world.folder, 'dist'))
  model.say(proposal, 'It is gone.')
  const { code, screen } = await inTerminal(`-p 'clean up'`, { to: asked, keys: 'y\r' })
  expect(code).toBe(0)
  expect(screen).toContain('The model wants to run: rm -rf dist')
  expect(screen).toContain('It is gone.')
  expect(existsSync(join(world.folder, 'dist'))).toBe(false)
})

test('[CLI58] whatever else a person says is a no, and the model hears it', async () => {
  mkdirSync(join(world.folder, 'dist'))
  model.say(proposal, 'As you like.')
  const { code } = await inTerminal(`-p 'clean up'`, { to: asked, keys: 'not that one\r' })
  expect(code).toBe(0)
  expect(existsSync(join(world.folder, 'dist'))).toBe(true)
  const { stdout: list } = await world.run(['sessions', 'ls', '--json'])
  const id = /"id":"([^"]+)"/.exec(list)?.[1] ?? ''
  const { stdout: log } = await world.run(['sessions', 'export', id, '--format', 'jsonl'])
  expect(log).toContain('"word":"not that one"')
})

test('[CLI59] at the question Ctrl+C ends the turn and Ctrl+D leaves the question open', async () => {
  model.say(proposal, proposal)
  const stopped = await inTerminal(`-p 'clean up'`, { to: asked, keys: '\u0003' })
  expect(stopped.code).toBe(130)
  const left = await inTerminal(`-p 'clean up'`, { to: asked, keys: '\u0004' })
  expect(left.code).toBe(3)
  expect(left.screen).toContain('the question stays open')
})

test('[CLI60] rm asks first, and only a yes deletes', async () => {
  const { stdout: list } = await world.run(['sessions', 'ls', '--json'])
  const id = /"id":"([^"]+)"/.exec(list)?.[1] ?? ''
  const remove = (keys: string) => inTerminal(`sessions rm ${id}`, { to: '[y/N]', keys })
  expect((await remove('\r')).code).toBe(1)
  expect((await world.run(['sessions', 'ls', '--json'])).stdout).toContain(id)
  expect((await remove('y\r')).code).toBe(0)
  expect((await world.run(['sessions', 'ls', '--json'])).stdout).not.toContain(id)
})

test('[CLI61] at a terminal run says when a silent command is about to be stopped, and it is', async () => {
  const { code, screen } = await inTerminal(`run 'sleep 1000'`, { to: 'never', keys: '' })
  expect(screen).toContain('tandem: nothing is printed; it will be stopped in 1 s.')
  expect(code).not.toBe(0)
})

test('[CLI80] where nobody could keep it, a silent command is not stopped', async () => {
  // More than twice as long as a person’s may be silent.
  expect(await world.run(['run', 'sleep 4.5; echo is over'])).toEqual({
    code: 0,
    stdout: 'is over\n',
    stderr: '',
  })
})

test('[CLI62] at a terminal Enter keeps a silent command running', async () => {
  const { code, screen } = await inTerminal(`run 'sleep 4.5; echo is over'`, {
    to: 'keep it running',
    keys: '\r',
  })
  expect(screen).toContain('it will be stopped in 1 s')
  expect(screen).toContain('is over')
  expect(code).toBe(0)
})
