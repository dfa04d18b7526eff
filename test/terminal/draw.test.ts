import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  noEmulator,
  shareEmulator,
  type SharedEmulator,
} from '../../src/server/terminal/emulator/worker/shared-emulator.ts'
import type { Captured } from '../../src/server/terminal/terminal.ts'
import { type Bundle, bundleWorker } from '../emulator/support/worker-bundle.ts'
import { startShell, type TempShell, text } from './support/temp-shell.ts'

let bundle: Bundle
let emulator: SharedEmulator
let shell: TempShell

beforeAll(async () => {
  bundle = await bundleWorker()
  emulator = shareEmulator({ entry: bundle.entry, diagnose() {} })
  shell = await startShell({ terminal: { emulator } })
})

afterAll(async () => {
  await shell.close()
  await emulator.close()
  bundle.remove()
})

const curl = String.raw`printf '  %% Total  %% Received\n'; for p in 1 37 64 100; do printf '\r%3d  1024k  %3d' $p $p; done; echo`
const npm = String.raw`printf 'added: wait\nfunded: wait\n'; for s in half done; do printf '\e[2A\e[2Kadded: %s\n\e[2Kfunded: %s\n' $s $s; done`
const spinner = String.raw`printf '\e[?25l'; for c in / - ; do printf '%s building\b\b\b\b\b\b\b\b\b\b' $c; done; printf '\e[Kbuilt\n\e[?25h'`

test.each([
  [
    'a bar drawn over itself',
    String.raw`printf ' 10%%\r 50%%\r100%%\n'; echo done`,
    '100%\ndone\n',
  ],
  ['what a shorter text leaves', String.raw`printf 'downloading\rdone\n'`, 'doneloading\n'],
  ['a table like that of curl', curl, '  % Total  % Received\n100  1024k  100\n'],
  ['several lines like those of npm', npm, 'added: done\nfunded: done\n'],
  ['a spinner', spinner, 'built\n'],
])('[TERM98] %s becomes its final text', async (_name, command, final) => {
  const end = await shell.run(command)
  expect({ ...end.output, exitCode: end.exitCode }).toEqual({
    head: final,
    tail: '',
    omittedChars: 0,
    exitCode: 0,
  })
})

test('[TERM98] output that moves nothing is not drawn: tabs, blanks and long lines stay as they are', async () => {
  const long = 'w'.repeat(1000)
  const command = String.raw`printf 'a\tb  \r\n\e[31mred\e[0m\e[K\t\n\e]0;title\a%s\n' ${long}`
  expect(text((await shell.run(command)).output)).toBe(`a\tb  \nred\t\n${long}\n`)
})

test('[TERM98] of long output head and tail are drawn, and what lies between is counted exactly', async () => {
  const lines = 60_000
  const end = await shell.run(
    `awk 'BEGIN { for (n = 1; n <= ${lines}; n++) printf "wait\\rstep %06d of many\\n", n }'`,
  )
  const { head, tail, omittedChars } = end.output
  expect(head.startsWith('step 000001 of many\nstep 000002')).toBe(true)
  expect(tail.endsWith('step 059999 of many\nstep 060000 of many\n')).toBe(true)
  expect(head.length + omittedChars + tail.length).toBe(lines * 'step 000001 of many\n'.length)
  expect(omittedChars).toBeGreaterThan(0)
})

test('[TERM98] what a program showed on the whole screen is no output, and the record says so', async () => {
  const command = String.raw`printf 'before\n\e[?1049h\e[Hfull screen\e[?1049lafter\n'`
  expect((await shell.run(command)).output.head).toBe(
    'before\nafter\nA program took the whole screen; what it showed there is not in this text.\n',
  )
})

test('[TERM98] output that could not be drawn is given without its movements, and says so', async () => {
  const own = await startShell({ terminal: { emulator: noEmulator } })
  onTestFinished(() => own.close())
  const { head } = (await own.run(String.raw`printf 'downloading\rdone\n'`)).output
  expect(head).toMatch(/^done\nThe output moves the cursor and could not be drawn; [^\n]+\n$/)
})

test('[TERM98] what a waiting program has said so far is drawn too', async () => {
  let onWaits: (said: Captured) => void = () => {}
  const said = new Promise<Captured>((resolve) => {
    onWaits = resolve
  })
  const run = shell.run(String.raw`printf '10%%\r100%%\nName? '; read -r name; echo "hi $name"`, {
    onWaits: (_state, output) => onWaits(output),
  })
  expect(text(await said)).toBe('100%\nName? ')
  await shell.terminal.send({ type: 'text', text: 'you' }, { signal: new AbortController().signal })
  expect(text((await run).output)).toBe('100%\nName? you\nhi you\n')
})
