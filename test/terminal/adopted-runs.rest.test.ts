// needs: zsh fish less
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ShellName } from '../../src/protocol/events/shell.ts'
import type { TypedReport } from '../../src/server/terminal/terminal.ts'
import { createSignal } from '../support/signal.ts'
import { startNested, type NestedShell } from './support/nested-shell.ts'
import { startSshServer } from './support/ssh-server.ts'
import { text, type TempOptions } from './support/temp-shell.ts'

async function nested(options?: TempOptions): Promise<NestedShell> {
  const shell = await startNested(options)
  onTestFinished(shell.close)
  return shell
}

async function adopted(way: string): Promise<NestedShell> {
  const shell = await nested()
  await shell.begin(way)
  await shell.adopt()
  return shell
}

async function behindSsh(): Promise<NestedShell> {
  const server = await startSshServer('bash --norc -i')
  onTestFinished(() => server.close())
  return adopted(server.command)
}

test.each<[ShellName, string]>([
  ['zsh', 'bash --norc'],
  ['fish', 'bash --norc'],
  ['zsh', 'fish --no-config'],
  ['fish', 'zsh -f'],
])('[ADOPT1] a session of %s adopts %s, and each speaks for itself', async (own, way) => {
  const shell = await nested({ shell: own })
  const { end } = await shell.begin(way)
  await shell.adopt()
  expect(await shell.output('printf "%s\\n" inner; true')).toBe('inner\n')
  await shell.run('exit')
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 0 })
  expect(await shell.output('printf "%s\\n" outer; true')).toBe('outer\n')
})

test.each([
  ['read -r line', 'waiting', '\r'],
  ['read -rs secret', 'secret', '\r'],
  ['less /etc/passwd', 'screen', 'q'],
])(
  '[ADOPT26] in an adopted shell of this machine, %s is seen to be %s',
  async (command, need, keys) => {
    const shell = await adopted('bash --norc')
    let needed: (state: string) => void = () => {}
    const needs = new Promise<string>((resolve) => (needed = resolve))
    const end = shell.run(command, { by: 'person', onWaits: (state) => needed(state) })
    expect(await needs).toBe(need)
    shell.terminal().liveView.type(keys)
    expect(await end).toMatchObject({ outcome: 'ended', exitCode: 0 })
  },
)

test('[ADOPT26] behind ssh, stopping a command leaves the connection and the shell there', async () => {
  const shell = await behindSsh()
  await shell.output('kept=yes')
  const stop = new AbortController()
  const end = shell.run('echo begun; sleep 100', {
    signal: stop.signal,
    onOutput: () => stop.abort(),
  })
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 130 })
  expect(await shell.output('echo $kept')).toBe('yes\n')
})

test.each(['bash --norc', 'ssh'])(
  '[ADOPT1] long commands, several lines and what changes how they are read enter %s exactly',
  async (way) => {
    const shell = way === 'ssh' ? await behindSsh() : await adopted(way)
    const long = 'x'.repeat(20_000)
    expect(await shell.output(`printf %s ${long} | wc -c`)).toBe('20000\n')
    expect(await shell.output("alias hello='echo hi'\nhello\nunalias hello")).toBe('hi\n')
    expect(await shell.output('cat <<"END"\n$x !! \\ ; , \t|\nEND')).toBe('$x !! \\ ; , \t|\n')
    const most = await shell.run(`: ${'y'.repeat(70_000)}`)
    expect(text(most.output)).toBe('The command was not run: it is too long for an adopted shell.')
  },
)

test('[ADOPT26] a half-typed line of an adopted shell is kept and put back', async () => {
  const shell = await adopted('bash --norc')
  shell.terminal().liveView.type('touch half')
  expect(await shell.output('echo between')).toBe('between\n')
  shell.terminal().liveView.type('way\r')
  const until = 'until [ -e halfway ]; do read -rt 0.05 _ </dev/tty; done; echo there'
  expect(await shell.output(until)).toBe('there\n')
})

test('[ADOPT1] a person’s own start file, hooks, aliases and options in an adopted bash keep working', async () => {
  const shell = await nested()
  const own = [
    "PS1='mine> '",
    "PROMPT_COMMAND='mine=$((mine + 1));'",
    "trap 'traced=$BASH_COMMAND' DEBUG",
    'set -o vi',
    "alias local='echo no' printf='echo no' head='echo no' stty='echo no'",
    'HISTCONTROL=',
  ]
  writeFileSync(join(shell.home, 'own'), `${own.join('\n')}\n`)
  await shell.begin('bash --rcfile own')
  await shell.adopt()
  expect(await shell.output('echo "$((mine > 0)) ${traced:+traced}"')).toBe('1 traced\n')
  expect(await shell.output('alias printf; shopt expand_aliases')).toBe(
    "alias printf='echo no'\nexpand_aliases \ton\n",
  )
  expect(await shell.run('(exit 9)')).toMatchObject({ exitCode: 9 })
  expect(await shell.output('history')).not.toContain('7133')
})

test('[ADOPT1] when the connection of an adopted shell breaks, its run is over and the outer shell is back', async () => {
  const shell = await nested()
  const server = await startSshServer('bash --norc -i')
  onTestFinished(() => server.close())
  const { end } = await shell.begin(server.command)
  await shell.adopt()
  const inner = shell.run('echo begun; read -r _; kill -9 $PPID', {
    onOutput: () => void shell.terminal().liveView.type('\r'),
    by: 'person',
  })
  expect(await inner).toMatchObject({ outcome: 'shell_exited' })
  expect(await end).toMatchObject({ outcome: 'ended', exitCode: 255 })
  expect(await shell.output('echo back')).toBe('back\n')
})

test('[ADOPT26] what is typed into an adopted shell, and the typed command around it, are told as typed runs', async () => {
  const typed: TypedReport[] = []
  const changed = createSignal()
  const shell = await nested({
    terminal: {
      async onTyped(report) {
        if (report.type !== 'typed-over') typed.push(report)
        changed.fire()
      },
    },
  })
  const told = (type: TypedReport['type'], command: string) =>
    changed.until(() =>
      typed.some(
        (report) => report.type === type && 'command' in report && report.command === command,
      ),
    )
  shell.terminal().liveView.type('bash --norc\r')
  await told('typed-started', 'bash --norc')
  // It may not have drawn its prompt yet.
  while (!(await shell.terminal().adopt()).ok);
  shell.terminal().liveView.type('echo hi; (exit 4)\r')
  await told('typed-ended', 'echo hi; (exit 4)')
  shell.terminal().liveView.type('exit 5\r')
  await told('typed-ended', 'bash --norc')
  const [adopted] = shell.reports
  expect(typed).toMatchObject([
    { type: 'typed-started', command: 'bash --norc' },
    { type: 'typed-started', command: 'echo hi; (exit 4)' },
    { type: 'typed-ended', command: 'echo hi; (exit 4)', exitCode: 4, bytes: 4 },
    { type: 'typed-started', command: 'exit 5' },
    { type: 'typed-ended', command: 'bash --norc', exitCode: 5, ptyTo: adopted?.ptyAt },
  ])
  expect(shell.reports.map(({ type }) => type)).toEqual(['shell-adopted', 'shell-left'])
})

test.each(['bash', 'zsh', 'fish'] as const)(
  '[ADOPT26] a command on its way into a shell that leaves is not run, and does not come to stand in the line of the %s around it',
  async (own) => {
    const typed: string[] = []
    const changed = createSignal()
    const shell = await nested({
      shell: own,
      terminal: {
        async onTyped(report) {
          if (report.type === 'typed-ended') typed.push(report.command)
          changed.fire()
        },
      },
    })
    const gate = join(shell.home, 'gate')
    const { end } = await shell.begin('bash --norc')
    await shell.adopt()
    await shell.output(`mkfifo '${gate}'; trap "cat '${gate}'" EXIT`)
    let isLate: () => void = () => {}
    const late = new Promise<void>((resolve) => (isLate = resolve))
    shell.terminal().liveView.type('exit\r')
    const run = shell.run('touch stray', { by: 'person', level: 1, onStatus: () => isLate() })
    // It leaves as soon as nobody can write there any more.
    const opened = await open(gate, 'w')
    await late
    shell.terminal().liveView.type('echo typed\r')
    await opened.close()
    expect(await run).toMatchObject({ outcome: 'not_started' })
    await end
    await changed.until(() => typed.some((command) => command.endsWith('echo typed')))
    expect(typed.at(-1)).toBe('echo typed')
    expect(await shell.output('echo "$PWD"/*')).toBe(`${gate}\n`)
  },
)
