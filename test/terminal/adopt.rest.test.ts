// needs: zsh fish python3 script vi
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { LevelReport } from '../../src/server/terminal/terminal.ts'
import { command, inNewBash, withoutCr } from './support/generated-commands.ts'
import { startNested, type NestedShell } from './support/nested-shell.ts'
import { createSignal } from '../support/signal.ts'
import { startSshServer } from './support/ssh-server.ts'
import { isAlive, runOf, text } from './support/temp-shell.ts'

async function nested(): Promise<NestedShell> {
  const shell = await startNested()
  onTestFinished(shell.close)
  // Else a first fish reads all manual pages in the background, for minutes.
  mkdirSync(join(shell.home, '.local/share/fish/generated_completions'), { recursive: true })
  return shell
}

async function ssh(shell: string): Promise<string> {
  const server = await startSshServer(shell)
  onTestFinished(() => server.close())
  return server.command
}

const inBash = { seven: '(exit 7)', shell: 'bash' }
const ways: { way: string; seven: string; shell: string; place?: RegExp }[] = [
  { way: 'bash --norc', ...inBash },
  { way: 'env -i bash --norc', ...inBash },
  // Only root may become somebody else without being asked.
  ...(process.getuid?.() === 0
    ? [{ way: 'su nobody -s /bin/bash', ...inBash, place: /^nobody@/ }]
    : []),
  { way: 'script -qc "bash --norc" /dev/null', ...inBash },
  { way: 'zsh -f', seven: '(exit 7)', shell: 'zsh' },
  { way: 'fish --no-config', seven: 'sh -c "exit 7"', shell: 'fish' },
]

async function expectExact(shell: NestedShell, seven: string): Promise<void> {
  const ran = await shell.run(`cd /usr && printf "one\\n\\ttwo ✓"; ${seven}`)
  expect(ran).toMatchObject({ outcome: 'ended', exitCode: 7, cwdAfter: '/usr', bytes: 13 })
  expect(text(ran.output)).toBe('one\n\ttwo ✓')
  expect(await shell.output(`printf '%s\\n' 'a!b' "it's" '\\x'\n\necho last`)).toBe(
    "a!b\nit's\n\\x\nlast\n",
  )
}

test.each(ways)(
  '[ADOPT1] commands run inside "$way" with exact output, exit code and folder, until it ends',
  async ({ way, seven, shell: name, place = /@/ }) => {
    const shell = await nested()
    const { end } = await shell.begin(way)
    expect(await shell.adopt()).toMatchObject({
      shell: name,
      place: expect.stringMatching(place),
      cwd: shell.home,
    })
    await expectExact(shell, seven)
    expect(await shell.run('exit 3')).toMatchObject({ outcome: 'shell_exited' })
    expect(await end).toMatchObject({ outcome: 'ended', cwdAfter: shell.home })
    expect(await shell.output('pwd')).toBe(`${shell.home}\n`)
    expect(shell.reports).toMatchObject([
      { type: 'shell-adopted', level: 1, shell: name },
      { type: 'shell-left', level: 1 },
    ])
  },
)

test.each([
  ['bash --norc -i', '(exit 7)'],
  ['zsh -f -i', '(exit 7)'],
  ['fish --no-config -i', 'sh -c "exit 7"'],
])('[ADOPT1] the same behind a real ssh, with %s there', async (remote, seven) => {
  const shell = await nested()
  const { end } = await shell.begin(await ssh(remote))
  await shell.adopt()
  expect(shell.terminal().cwd()).toBe(null)
  await expectExact(shell, seven)
  await shell.run('exit 3')
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 3 })
  expect(await shell.output('pwd')).toBe(`${shell.home}\n`)
})

test('[ADOPT6] a shell that is at work for a moment is adopted at its prompt', async () => {
  const shell = await nested()
  let said = ''
  const printed = createSignal()
  await shell.begin('bash --norc', {
    onOutput(text) {
      said += text
      printed.fire()
    },
  })
  // Nobody ever writes there, so it reads as long as it says.
  shell.terminal().liveView.type("mkfifo q; exec 9<>q; echo bu''sy; read -t 0.4 -u 9\n")
  await printed.until(() => said.includes('busy\r\n'))
  expect(await shell.adopt()).toMatchObject({ shell: 'bash' })
  expect(await shell.output('echo in')).toBe('in\n')
})

test('[ADOPT1] shells nest, and each that ends falls back by one', async () => {
  const shell = await nested()
  await shell.output('where=outer')
  const outer = await shell.begin('bash --norc')
  await shell.adopt()
  await shell.output('where=middle')
  const middle = await shell.begin('env -i bash --norc')
  await shell.adopt()
  expect(await shell.output('echo "<$where>"')).toBe('<>\n')
  await shell.run('exit 5')
  expect(await middle.end).toMatchObject({ outcome: 'ended', exitCode: 5 })
  shell.terminal().settle(middle.id)
  expect(await shell.output('echo "<$where>"')).toBe('<middle>\n')
  await shell.run('exit 6')
  expect(await outer.end).toMatchObject({ outcome: 'ended', exitCode: 6 })
  expect(await shell.output('echo "<$where>"')).toBe('<outer>\n')
  expect(shell.reports.map(({ type, level }) => `${type} ${level}`)).toEqual([
    'shell-adopted 1',
    'shell-adopted 2',
    'shell-left 2',
    'shell-left 1',
  ])
})

test('[ADOPT4] nothing of the adoption is shown, kept, in the history or in the environment', async () => {
  const shell = await nested()
  await shell.begin('bash --norc')
  await shell.adopt()
  expect(await shell.output('history')).not.toContain('7133')
  expect(await shell.output('env; cat /proc/$$/environ')).not.toMatch(/tandem_|7133/)
  expect(await shell.recorded()).not.toMatch(/7133|stty|head -c/)
})

test('[ADOPT4] a mark with another nonce ends nothing in an adopted shell', async () => {
  const shell = await nested()
  await shell.begin('bash --norc')
  await shell.adopt()
  const forged = String.raw`\e]7133;ffffffffffffffffffffffff;D;0;1;x;/\a`
  const ran = await shell.run(`printf '${forged}after'; (exit 4)`)
  expect(ran).toMatchObject({ exitCode: 4, cwdAfter: shell.home })
  expect(text(ran.output)).toBe('after')
})

test.each([
  ['python3 -q', 'python3 is not a shell'],
  ['vi -u NONE', 'vi is not a shell'],
  ['read -s secret', 'reads a secret'],
  ['cat', 'cat is not a shell'],
  ['dash -i', 'dash cannot be adopted'],
])('[ADOPT6] %s is not adopted, and nothing is typed into it', async (program, reason) => {
  const shell = await nested()
  const { end } = await shell.begin(program)
  const before = await shell.recorded()
  expect(await shell.terminal().adopt()).toEqual({
    ok: false,
    error: expect.stringContaining(reason),
  })
  expect(await shell.recorded()).toBe(before)
  await shell.terminal().interrupt('kill')
  await shell.terminal().interrupt('int')
  await end
})

test('[ADOPT6] at a prompt there is nothing to adopt, and a program that just runs is not adopted', async () => {
  const shell = await nested()
  expect(await shell.terminal().adopt()).toMatchObject({
    error: expect.stringContaining('nothing runs'),
  })
  let started: () => void = () => {}
  const running = new Promise<void>((resolve) => (started = resolve))
  const end = shell.run('echo begun; sleep 60', { onOutput: () => started() })
  await running
  expect(await shell.terminal().adopt()).toMatchObject({
    error: expect.stringMatching(/sleep is not a shell/),
  })
  await shell.terminal().interrupt('int')
  expect(await end).toMatchObject({ exitCode: 130 })
})

test('[ADOPT6] a command that is ordered just as somebody adopts is run and told as it is', async () => {
  const shell = await nested()
  const { terminal } = shell
  for (let turns = 0; turns < 16; turns += 1) {
    const adopting = turns % 2 === 0 ? null : terminal().adopt()
    for (let count = 0; count < turns * 10; count += 1) await setImmediate()
    const ran = shell.output('echo "$SHLVL"', { by: 'person' })
    const adopted = await (adopting ?? terminal().adopt())
    expect(adopted).toMatchObject({ ok: false })
    expect(await ran).toMatch(/^\d+\n$/)
  }
  expect(shell.reports).toEqual([])
})

test('[ADOPT6] what reads a secret on another machine gets nothing but a blank that is taken back', async () => {
  const shell = await nested()
  const asks = `bash --norc -c 'read -rsp "Password: " p; echo; printf "got<%s>" "$p"; read -r _'`
  let asked: () => void = () => {}
  const asking = new Promise<void>((resolve) => (asked = resolve))
  const { end } = await shell.begin(await ssh(asks), {
    onOutput: (more) => (more.includes('Password: ') ? asked() : undefined),
  })
  await asking
  expect(await shell.terminal().adopt()).toMatchObject({
    error: expect.stringContaining('does not show what is typed'),
  })
  shell.terminal().liveView.type('pw\r\r')
  expect(text((await end).output)).toContain('got<pw>')
})

test('[ADOPT20] a shell that became another program with exec is adopted in its place', async () => {
  const shell = await nested()
  expect(await shell.run('exec bash --norc')).toMatchObject({ outcome: 'ended', exitCode: null })
  await shell.adopt()
  await expectExact(shell, '(exit 7)')
  expect(shell.reports).toMatchObject([{ type: 'shell-adopted', level: 0 }])
  const { end } = await shell.begin('bash --norc')
  await shell.adopt()
  expect(await shell.run('exec bash --norc')).toMatchObject({ outcome: 'ended', exitCode: null })
  await shell.adopt()
  await expectExact(shell, '(exit 7)')
  await shell.run('exit 2')
  expect(await end).toMatchObject({ exitCode: 2 })
  const [, , inner, left] = shell.reports
  expect([inner, left]).toMatchObject([
    { type: 'shell-adopted', level: 1 },
    { type: 'shell-left', level: 1, ptyAt: inner?.ptyAt },
  ])
})

test('[TERM117] what ran privately in an adopted shell is not in the output of the command around it', async () => {
  const shell = await nested()
  const { end } = await shell.begin('echo hello; bash --norc')
  await shell.adopt()
  await shell.run('echo PRIVATE-WORD', { by: 'person', private: true })
  await shell.run('exit')
  const ended = await end
  expect(text(ended.output)).toMatch(/^hello\n/)
  expect(text(ended.output)).not.toContain('PRIVATE-WORD')
  const { bytes } = await shell
    .terminal()
    .readOutput({ from: ended.ptyFrom ?? 0, to: ended.ptyTo ?? 0 })
  expect(String(bytes)).not.toContain('PRIVATE-WORD')
})

test('[ADOPT1] what was ordered for an adopted shell that has left is not run around it, when its end is told with that', async () => {
  const hears = createSignal()
  let isHearing = false
  const over = new AbortController()
  const shell = await startNested({
    terminal: {
      // The session is busy; as it hears that the shell has left, it takes all that was for it as over.
      async onLevel({ type }) {
        if (type === 'shell-left') await hears.until(() => isHearing)
        if (type === 'shell-left') over.abort()
      },
    },
  })
  onTestFinished(shell.close)
  const { end } = await shell.begin('bash --norc')
  await shell.adopt()
  await shell.run('exit')
  const options = { by: 'person', level: 1, signal: over.signal } as const
  const late = shell.run(`echo outside > ${join(shell.home, 'ran')}`, options)
  isHearing = true
  hears.fire()
  expect(await late).toMatchObject({ outcome: 'not_started' })
  await end
  expect(await shell.output('ls ran 2>&1; echo over')).toMatch(/No such file[^]*over/)
})

test('[ADOPT1] when the command around an adopted shell goes on after it, it is running again', async () => {
  const shell = await nested()
  const { end } = await shell.begin('bash --norc; read -r line; echo "read $line"')
  await shell.adopt()
  await shell.run('exit')
  await shell.reported(2)
  expect(shell.reports.at(-1)).toMatchObject({ type: 'shell-left', level: 1 })
  shell.terminal().liveView.type('more\r')
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 0 })
})

test('[ADOPT1] a server that comes while a shell is adopted finds it, its run and the run around it', async () => {
  const shell = await nested()
  const around = await shell.begin('bash --norc')
  await shell.adopt()
  const { run, watch } = runOf('echo one; until [ -e go ]; do sleep 0.1; done; echo two; (exit 9)')
  void shell.terminal().run(run, watch)
  await shell.restartServer()
  const [inner, outer] = [
    shell.terminal().resume(run, watch),
    shell.terminal().resume(runOf('bash --norc', { id: around.id, by: 'person' }).run, watch),
  ]
  writeFileSync(join(shell.home, 'go'), '')
  const ended = await inner
  expect(ended).toMatchObject({ outcome: 'ended', exitCode: 9 })
  expect(text(ended.output)).toBe('one\ntwo\n')
  shell.terminal().settle(run.id)
  await expectExact(shell, '(exit 7)')
  await shell.run('exit 8')
  expect(await outer).toMatchObject({ outcome: 'ended', exitCode: 8 })
  expect(shell.reports.filter(({ type }) => type === 'shell-left')).toHaveLength(1)
})

test('[ADOPT1] an adopted shell and its run that end while no server is there are told to the next one', async () => {
  const shell = await nested()
  const around = await shell.begin('bash --norc')
  await shell.adopt()
  const { run, watch } = runOf('echo one; until [ -e go ]; do sleep 0.1; done; exit 9')
  let begun: () => void = () => {}
  const beginning = new Promise<void>((resolve) => (begun = resolve))
  void shell.terminal().run(run, { ...watch, onOutput: () => begun() })
  await beginning
  await shell.restartServer(async () => {
    writeFileSync(join(shell.home, 'go'), '')
    await gone(shell.reports[0])
  })
  const [inner, outer] = await Promise.all([
    shell.terminal().resume(run, watch),
    shell.terminal().resume(runOf('bash --norc', { id: around.id, by: 'person' }).run, watch),
  ])
  expect(inner).toMatchObject({ outcome: 'shell_exited' })
  expect(text(inner.output)).toMatch(/^one\n/)
  expect(outer).toMatchObject({ outcome: 'ended', exitCode: 9 })
  expect(shell.reports.map(({ type }) => type)).toEqual([
    'shell-adopted',
    'shell-adopted',
    'shell-left',
  ])
  expect(await shell.output('pwd')).toBe(`${shell.home}\n`)
})

/** Resolves when the process is no more. */
async function gone(adopted: LevelReport | undefined): Promise<void> {
  const pid = adopted?.type === 'shell-adopted' ? adopted.pid : 0
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('[ADOPT1] generated commands in an adopted shell give the output and exit code of a new bash each', async () => {
  const shell = await nested()
  await shell.begin('bash --norc')
  await shell.adopt()
  for (const each of fc.sample(command, { numRuns: 200, seed: 20_261_116 })) {
    const [ran, expected] = [await shell.run(each), await inNewBash(each, shell)]
    expect({ each, code: ran.exitCode }).toEqual({ each, code: expected.code })
    const { bytes } = await shell
      .terminal()
      .readOutput({ from: ran.ptyFrom ?? 0, to: ran.ptyTo ?? 0 })
    expect({ each, output: withoutCr(bytes) }).toEqual({ each, output: withoutCr(expected.output) })
  }
})
