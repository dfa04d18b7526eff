// needs: zsh fish tmux
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import type { LevelReport } from '../../src/server/terminal/terminal.ts'
import { startFileOf } from '../shells/support/start-files.ts'
import { createSignal } from '../support/signal.ts'
import { makeTerminal, runOf, text, type RunOptions } from './support/temp-shell.ts'

/** A shell that is not waited for longer than this. */
async function startLate(shell: ShellName, startFile: string, startMs = 300) {
  const levels: LevelReport[] = []
  const changed = createSignal()
  const made = await makeTerminal({
    shell,
    terminal: {
      startMs,
      async onLevel(report) {
        levels.push(report)
        changed.fire()
      },
    },
  })
  onTestFinished(made.close)
  for (const [path, content] of [
    [startFileOf[shell], startFile],
    ['.zshenv', ''],
    ['.local/share/fish/generated_completions/none', ''],
  ] as const) {
    mkdirSync(join(made.home, dirname(path)), { recursive: true })
    writeFileSync(join(made.home, path), `${content}\n`)
  }
  made.terminal.liveView.onState(changed.fire)
  const started = await made.terminal.start({ generation: 1, cwd: made.home })
  if (!started.ok) throw new Error(started.error)
  const begin = (command: string, options: RunOptions = { by: 'person' }) => {
    const { run, watch } = runOf(command, options)
    return made.terminal.run(run, watch)
  }
  return { ...made, info: started.value, levels, changed, begin }
}

const waitsForGo: Readonly<Record<ShellName, string>> = {
  bash: 'while ! [ -e ~/go ]; do sleep 0.02; done',
  zsh: 'while ! [ -e ~/go ]; do sleep 0.02; done',
  fish: 'while not test -e ~/go; sleep 0.02; end',
}

test.each(ShellName.options)(
  '[TERM28] %s: a shell whose start file takes long is there without a prompt, and a command waits for that',
  async (shell) => {
    const own = await startLate(shell, waitsForGo[shell])
    expect(own.info).toMatchObject({ shell, integration: 'none' })
    expect(own.info.notice).toMatch(/no prompt within 0.3 seconds: .* waits for the prompt\.$/)
    expect(own.terminal.liveView.state().phase).toBe('starting')
    const [stop, ran] = [new AbortController(), own.begin('echo ran; false')]
    const stopped = own.begin('touch ~/stopped', { by: 'person', signal: stop.signal })
    stop.abort()
    expect(await stopped).toMatchObject({ outcome: 'not_started' })
    writeFileSync(join(own.home, 'go'), '')
    const end = await ran
    expect([text(end.output), end.exitCode]).toEqual(['ran\n', 1])
    expect(own.terminal.liveView.state()).toMatchObject({ phase: 'prompt', integration: 'full' })
    expect(text((await own.begin('ls ~')).output)).toBe('go\n')
  },
)

test('[TERM28] a first prompt that is slow to draw is no command: the shell starts until it is there', async () => {
  const own = await startLate(
    'bash',
    `mkfifo ~/drawn; PS1='$(echo > ~/drawn; ${waitsForGo.bash})> '`,
  )
  const ran = own.begin('echo ran')
  await readFile(join(own.home, 'drawn'))
  await own.terminal.liveView.heard()
  expect(own.terminal.liveView.state()).toMatchObject({ phase: 'starting', integration: 'full' })
  writeFileSync(join(own.home, 'go'), '')
  expect(text((await ran).output)).toBe('ran\n')
})

test('[TERM28] what a start file asks is named, can be answered in the terminal, and the shell goes on', async () => {
  const ask = `sh -c 'printf "Passphrase: "; read answer; echo "thanks $answer"'`
  const own = await startLate('bash', ask)
  expect(own.info.notice).toMatch(/: sh reads in the terminal\. You can answer it there\./)
  const ran = own.begin('echo ran')
  own.terminal.liveView.type('please\r')
  expect(text((await ran).output)).toBe('ran\n')
  const parts: Uint8Array[] = []
  for await (const item of own.terminal.recording()) if ('bytes' in item) parts.push(item.bytes)
  expect(Buffer.concat(parts).toString('utf8')).toContain('thanks please')
})

test.each([
  ['bash', 'exec zsh', 'zsh'],
  ['bash', '[[ -n ${again-} ]] || { export again=1; exec bash; }', 'bash'],
  ['bash', 'exec fish', 'fish'],
  ['zsh', 'exec bash --norc', 'bash'],
  ['fish', 'exec bash --norc', 'bash'],
] as const)(
  '[TERM28] %s with `%s` in its start file: the shell in its place is adopted, and commands run there',
  async (shell, startFile, name) => {
    const own = await startLate(shell, startFile, 20_000)
    expect(own.info).toMatchObject({ integration: 'none' })
    const end = await own.begin(`echo here; sh -c 'exit 7'`)
    expect([text(end.output), end.exitCode]).toEqual(['here\n', 7])
    expect(own.levels).toMatchObject([{ type: 'shell-adopted', level: 0, shell: name }])
  },
)

test('[TERM28] a program that a start file leaves in front is named, and commands wait until it ends', async () => {
  const tmux = 'tmux -L "late-$$" -f /dev/null new-session "read -r line"'
  const own = await startLate('bash', tmux, 3_000)
  expect(own.info.notice).toMatch(/: tmux.* has taken the terminal\./)
  const ran = own.begin('echo ran')
  own.terminal.liveView.type('x\r')
  expect(text((await ran).output)).toBe('ran\n')
})

test('[TERM28] a shell that ends while a command waits for its first prompt has not run it', async () => {
  const own = await startLate('bash', `${waitsForGo.bash}; exit 3`)
  const ran = own.begin('echo ran')
  writeFileSync(join(own.home, 'go'), '')
  expect(await ran).toMatchObject({ outcome: 'not_started' })
  expect(await own.shellEnd).toMatchObject({ reason: 'exited', exitCode: 3 })
})

test('[TERM28] a new server waits for the first prompt, too', async () => {
  const own = await startLate('bash', waitsForGo.bash)
  await own.terminal.detach()
  await own.terminal.attach(1)
  const ran = own.begin('echo ran')
  writeFileSync(join(own.home, 'go'), '')
  expect(text((await ran).output)).toBe('ran\n')
})
