import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createWorld, lastLine } from './cli.ts'

const world = createWorld()
afterAll(world.end)
// The first command starts server and shell; the others find them.
beforeAll(async () => {
  expect(await world.run(['run', '--', 'true'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('[CLI9] run prints what the command prints and exits as it does', async () => {
  expect(await world.run(['run', 'echo out; (exit 7)'])).toEqual({
    code: 7,
    stdout: 'out\n',
    stderr: '',
  })
})

test('[TERM9] a command that is only a comment ends at once', async () => {
  expect(await world.run(['run', '# a note'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('[CLI2] the words after -- reach the command as they are', async () => {
  const words = ['a b', "it's", '$HOME', '*', '', '-x']
  const { stdout } = await world.run(['run', '--', 'printf', '<%s>\\n', ...words])
  expect(stdout).toBe(words.map((word) => `<${word}>\n`).join(''))
})

test('[CLI9] runs of one folder share one shell: cd and variables stay', async () => {
  mkdirSync(join(world.folder, 'deep'))
  await world.run(['run', 'cd deep; export NAME=tandem'])
  const { stdout } = await world.run(['run', 'echo "$NAME in $PWD"; cd ..'])
  expect(stdout).toBe(`tandem in ${join(world.folder, 'deep')}\n`)
})

test('[CLI9] output is there while the command still runs', async () => {
  const fifo = join(world.folder, 'gate')
  execFileSync('mkfifo', [fifo])
  const started = world.start(['run', `echo first; cat ${fifo}`])
  await started.printed('first\n')
  writeFileSync(fifo, 'second\n')
  expect(await started.ended).toEqual({ code: 0, stdout: 'first\nsecond\n', stderr: '' })
})

test('[CLI22] Ctrl+C interrupts the command and exits 130; the shell lives on', async () => {
  const started = world.start(['run', 'KEPT=yes; echo ready; sleep 600'])
  await started.printed('ready')
  started.process.kill('SIGINT')
  expect(await started.ended).toMatchObject({ code: 130 })
  expect((await world.run(['run', 'echo $KEPT'])).stdout).toBe('yes\n')
})

test('[CLI1] a pipe gets no colours, plain line ends and every byte of a long output', async () => {
  const { stdout } = await world.run(['run', `printf '\\033[31mred\\033[0m\\n'; seq 1 60000`])
  const lines = Array.from({ length: 60_000 }, (_, index) => `${index + 1}\n`).join('')
  expect(stdout === `red\n${lines}`).toBe(true)
})

test('[CLI22] a reader that has enough ends it quietly', async () => {
  const line = `"${process.execPath}" "${world.entry}" run 'seq 1 50000' | head -n 1`
  const shell = spawn('/bin/bash', ['-c', `set -o pipefail; ${line}; echo "code $?"`], {
    cwd: world.folder,
    env: world.env,
  })
  let text = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  await once(shell, 'close')
  expect(text).toBe('1\ncode 0\n')
})

test('[RUN7] a private run is printed here and told to nobody else', async () => {
  const { code, stdout } = await world.run(['run', '--private', '--', 'echo', 'hush-hush'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'hush-hush\n' })
  const { stdout: list } = await world.run(['sessions', 'ls', '--json'])
  const [{ id } = { id: '' }] = lastLine(z.array(z.object({ id: z.string() })), list)
  const { stdout: log } = await world.run(['sessions', 'export', id, '--format', 'jsonl'])
  const answers = log.split('\n').filter((line) => line.includes('"tool_response"'))
  expect(answers.some((line) => line.includes('hush-hush'))).toBe(false)
})

test('[CLI17] a run in an unknown session says so and runs nothing', async () => {
  expect(await world.run(['run', '--session', 'ffffffff', '--', 'touch', 'made'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'tandem: there is no session "ffffffff". See: tandem sessions ls\n',
  })
})

test('[PROC1] two commands started at once find one server', async () => {
  const fresh = createWorld()
  try {
    const both = await Promise.all([
      fresh.run(['sessions', 'ls', '--json']),
      fresh.run(['sessions', 'ls', '--json']),
    ])
    expect(both.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      both.map(() => ({ code: 0, stdout: '[]\n' })),
    )
  } finally {
    await fresh.end()
  }
})

const all256 = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

test.each([
  ['all bytes', all256],
  ['all bytes, backwards', Buffer.from(all256).reverse()],
  ['half a megabyte of random bytes', randomBytes(500_000)],
  ['line ends of both kinds', Buffer.from('one\r\ntwo\nthree\r\r\n\r\n\nfour\r\n')],
  ['no line end at the end', Buffer.from('no end')],
  ['a return at the end', Buffer.from('redrawn\r')],
  ['the start of a sequence at the end', Buffer.from('cut \x1b[3')],
  ['another encoding', Buffer.from('Grüße aus Köln\r\n', 'latin1')],
  ['a byte order mark and many letters', Buffer.from(`\ufeff漢字 “q” — 😀\n`.repeat(20_000))],
  ['text before something else', Buffer.concat([Buffer.from('text\n'.repeat(30_000)), all256])],
])('[CLI1] a pipe gets what the command wrote, byte by byte: %s', async (_, bytes) => {
  writeFileSync(join(world.folder, 'bytes'), bytes)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [world.entry, 'run', '--', 'cat', 'bytes'],
    { cwd: world.folder, env: world.env, encoding: 'buffer', maxBuffer: 2 ** 24 },
  )
  expect(stdout.equals(bytes)).toBe(true)
})
