// needs: script
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
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

/** The cli in a real terminal, made by util-linux's `script`; gives each answer once it is asked for. */
async function inTerminal(args: string, ...answers: { to: string; keys: string }[]) {
  const line = `${process.execPath} ${world.entry} ${args}`
  const terminal = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: world.folder,
    env: world.env,
  })
  let screen = ''
  let heard = 0
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    // Several may be asked for in one piece of the output.
    for (let [answer] = answers; answer !== undefined; [answer] = answers) {
      const at = screen.indexOf(answer.to, heard)
      if (at === -1) return
      heard = at + answer.to.length
      answers.shift()
      terminal.stdin.write(answer.keys)
    }
  })
  await once(terminal, 'close')
  return { code: terminal.exitCode, screen }
}

const asked = 'Run it?'
const proposal = '<shell>rm -rf dist</shell>'

test('[CLI57] a person at a terminal is asked, and a yes runs the command', async () => {
  mkdirSync(join(world.folder, 'dist'))
  model.say(proposal, 'It is gone.')
  const { code, screen } = await inTerminal(
    `-p 'clean up'`,
    { to: asked, keys: 'y\r' },
    { to: asked, keys: 'run\r' },
  )
  expect(code).toBe(0)
  expect(screen).toContain('The model wants to run: rm -rf dist')
  expect(screen).toContain('effect: Hard to undo')
  // What is hard to undo takes more than a letter.
  expect(screen).toContain('“y” is no answer here.')
  expect(screen).toContain('It is gone.')
  expect(existsSync(join(world.folder, 'dist'))).toBe(false)
})

test('[CLI57] whatever else a person says is a no, and the model hears it', async () => {
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

test('[CLI57] e opens the command in a line to change; as it was, what is hard to undo is no answer', async () => {
  mkdirSync(join(world.folder, 'dist'), { recursive: true })
  mkdirSync(join(world.folder, 'dust'))
  model.say(proposal, 'It is gone.')
  const line = 'Run this instead: '
  const { code, screen } = await inTerminal(
    `-p 'clean up'`,
    { to: '[e]dit', keys: 'e\r' },
    { to: line, keys: '\r' },
    { to: 'Nothing was changed.', keys: '' },
    { to: '[e]dit', keys: 'e\r' },
    // Ctrl+W takes the last word.
    { to: line, keys: '\u0017dust\r' },
  )
  expect(code).toBe(0)
  expect(screen).toContain('It is gone.')
  expect(existsSync(join(world.folder, 'dist'))).toBe(true)
  expect(existsSync(join(world.folder, 'dust'))).toBe(false)
})

test('[CLI57] tandem answer runs another command instead', async () => {
  mkdirSync(join(world.folder, 'dust'))
  model.say(proposal, 'It is gone.')
  const left = await world.run(['-p', 'clean up'])
  expect(left.code).toBe(3)
  const id = /ask-[\w-]+/.exec(left.stderr)?.[0] ?? ''
  const no = await world.run(['answer', id, 'deny', '--command', 'ls'])
  expect(no).toMatchObject({ code: 2, stderr: expect.stringContaining('--command is for allow') })
  const yes = await world.run(['answer', id, 'allow', '--command', 'rmdir dust'])
  expect(yes).toMatchObject({ code: 0, stderr: 'Allowed: rmdir dust\n' })
  expect(existsSync(join(world.folder, 'dist'))).toBe(true)
})

test('[CLI57] at the question Ctrl+C ends the turn and Ctrl+D leaves the question open', async () => {
  model.say(proposal, proposal)
  const stopped = await inTerminal(`-p 'clean up'`, { to: asked, keys: '\u0003' })
  expect(stopped.code).toBe(130)
  const left = await inTerminal(`-p 'clean up'`, { to: asked, keys: '\u0004' })
  expect(left.code).toBe(3)
  expect(left.screen).toContain('the question stays open')
})

test('[CLI41] rm asks first, and only a yes deletes', async () => {
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

test('[CLI61] where nobody could keep it, a silent command is not stopped', async () => {
  // More than twice as long as a person’s may be silent.
  expect(await world.run(['run', 'sleep 4.5; echo is over'])).toEqual({
    code: 0,
    stdout: 'is over\n',
    stderr: '',
  })
})

test('[CLI61] at a terminal Enter keeps a silent command running', async () => {
  const { code, screen } = await inTerminal(`run 'sleep 4.5; echo is over'`, {
    to: 'keep it running',
    keys: '\r',
  })
  expect(screen).toContain('it will be stopped in 1 s')
  expect(screen).toContain('is over')
  expect(code).toBe(0)
})

test('[SEC6] a line that may answer a password question is sent only after a yes, or with --not-secret', async () => {
  const ask = `stty raw -echo; printf 'asking\\r\\nme@host%s: ' "'s password"; head -c 1; stty sane`
  const asking = world.start(['run', '--', ask])
  await asking.printed('asking')
  const { requests } = model
  const before = requests.length
  const secret = randomBytes(16).toString('hex')
  const silent = await world.run(['-p', secret, '--continue'])
  expect(silent).toMatchObject({ code: 3, stdout: '' })
  expect(silent.stderr).toMatch(/^tandem: “me@host's password:” .* not kept\. .*--not-secret\)\n$/)
  expect(await world.run(['run', '--', secret])).toMatchObject({ code: 3, stdout: '' })
  const no = await inTerminal(`-p ${secret} --continue`, { to: '[y/N]', keys: '\r' })
  expect(no.code).toBe(3)
  expect(requests.length).toBe(before)
  model.say('It is up.', 'Still up.')
  const yes = await inTerminal(`-p 'is it up?' --continue`, { to: '[y/N]', keys: 'y\r' })
  expect(yes).toMatchObject({ code: 0, screen: expect.stringContaining('It is up.') })
  const said = await world.run(['-p', 'and now?', '--continue', '--not-secret'])
  expect(said).toMatchObject({ code: 0, stdout: 'Still up.\n' })
  asking.process.kill('SIGINT')
  await asking.ended
  expect(JSON.stringify(requests)).not.toContain(secret)
})

test('[CLI63] models add asks for a key at the terminal, which does not show it', async () => {
  const key = `k-${randomBytes(8).toString('hex')}`
  const { code, screen } = await inTerminal(`models add mine --model m --url ${model.baseUrl}`, {
    to: '(it is not shown): ',
    keys: `${key}\r`,
  })
  expect(code).toBe(0)
  expect(screen).toContain('mine works: mine/m answers.')
  expect(screen).not.toContain(key)
  expect(readFileSync(join(world.home, 'credentials.json'), 'utf8')).toContain(key)
})
