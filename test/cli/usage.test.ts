import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createWorld } from './cli.ts'

const world = createWorld()
afterAll(world.end)

test('[CLI15] help and version are there at once and start no server', async () => {
  const version = await world.run(['--version'])
  expect(version).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  })
  const help = await world.run(['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('Exit codes:')
  const [bare, word, short] = await Promise.all(
    [[], ['help'], ['-h']].map((args) => world.run(args)),
  )
  expect([bare, word, short]).toEqual([help, help, help])
  const about = await world.run(['run', '--help'])
  expect(about.stdout).toContain('--private')
  for (const line of about.stdout.split('\n')) expect(line.length).toBeLessThan(80)
})

test('[CLI22] output that finds no room is an error, not a success', () => {
  const full = openSync('/dev/full', 'w')
  const stdio = ['ignore', full, 'pipe'] as const
  const { entry, env, folder: cwd } = world
  const args = [entry, '--version']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, stdio: [...stdio] })
  closeSync(full)
  expect(status).toBe(1)
  expect(String(stderr)).toMatch(/^tandem: cannot write the output: ENOSPC/)
})

const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
  [['srve'], /unknown command 'srve' \(Did you mean serve\?\)/],
  [['serve', '--prot', '1'], /unknown option '--prot' \(Did you mean --port\?\)/],
  [['serve', '--port', '70000'], /port is a number from 0 to 65535/i],
  [['-p'], /option '-p, --prompt <text>' argument missing/],
  [['-p', 'x', '--timeout', 'soon'], /Give a time such as 30s/],
  [['-p', 'x', '--output-format', 'xml'], /Allowed choices are text, json, stream-json/],
  [['-p', 'two', 'words'], /too many arguments/],
  [['-p', '  '], /nothing to say/],
  [['run'], /missing required argument 'command'/],
  [['run', ' '], /there is no command/],
  [['answer', 'x', 'maybe'], /neither allow nor deny/],
  [['answer', 'x', 'allow', '--scope', 'ever'], /Allowed choices are once, reply, session, folder/],
  [['sessions', 'exprot', 'x'], /unknown command 'exprot' \(Did you mean export\?\)/],
  [['token'], /"token" needs a subcommand/],
  [['sessions', 'export', 'x', '--format', 'pdf'], /Allowed choices are md, json, jsonl/],
]

test.each(mistakes)('[CLI17] a mistake is one sentence and exit 2: %j', async (args, sentence) => {
  const ended = await world.run(args)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toMatch(sentence)
  expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(ended.stderr).toMatch(/^tandem: /)
})

test('[CLI17] a data folder that cannot be used is a sentence and exit 5', async () => {
  const broken = createWorld({ TANDEM_HOME: '/dev/null/data' })
  const ended = await broken.run(['sessions', 'ls'])
  expect(ended).toEqual({
    code: 5,
    stdout: '',
    stderr: 'tandem: cannot use the data folder /dev/null/data: set TANDEM_HOME\n',
  })
  broken.remove()
})
