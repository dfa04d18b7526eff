// needs: zsh fish
import { mkdirSync, writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { startTyping, type TypingShell } from './support/typing-shell.ts'

async function ownShell(...options: Parameters<typeof startTyping>): Promise<TypingShell> {
  const own = await startTyping(...options)
  onTestFinished(own.close)
  return own
}

/** Resolves when a file of that name is made. */
async function fileIn(folder: string, name: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename === name) return
}

const paste = (lines: string) => `\x1b[200~${lines}\x1b[201~`

const loops: Readonly<Record<ShellName, { keys: string; command: string }>> = {
  bash: {
    keys: 'for i in 1 2; do\recho "$i; x"\rdone\r',
    command: 'for i in 1 2; do echo "$i; x"; done',
  },
  zsh: {
    keys: 'for i in 1 2; do\recho "$i; x"\rdone\r',
    command: 'for i in 1 2; do\necho "$i; x"\ndone',
  },
  fish: {
    keys: `${paste('for i in 1 2\n    echo "$i; x"\nend')}\r`,
    command: 'for i in 1 2\n    echo "$i; x"\nend',
  },
}

test.each(ShellName.options)(
  '[TYPED1] what is typed at the prompt is told with its text, exit code and folder: %s',
  async (shell) => {
    const own = await ownShell(shell)
    expect(await own.typed('echo hi; false\r')).toMatchObject({
      command: 'echo hi; false',
      exitCode: 1,
    })
    const quoted = String.raw`printf '%s\n' "é ü ☃ 漢" 'a;b' \$x "$HOME" # why`
    expect(await own.typed(`${quoted}\r`)).toMatchObject({ command: quoted, exitCode: 0 })
    mkdirSync(join(own.home, 'a b'))
    expect(await own.typed('cd "a b"\r')).toMatchObject({ cwdAfter: join(own.home, 'a b') })
    const { keys, command } = loops[shell]
    const loop = await own.typed(keys)
    expect(loop).toMatchObject({ command, exitCode: 0 })
    expect(loop.bytes).toBe('1; x\r\n2; x\r\n'.length)
    expect(await own.typed('sh -c "exit 7"\r')).toMatchObject({ exitCode: 7 })
    // The same again: a history need not grow by it.
    expect(await own.typed('sh -c "exit 7"\r')).toMatchObject({ command: 'sh -c "exit 7"' })
    expect(own.reports.filter(({ type }) => type === 'typed-started')).toHaveLength(6)
  },
)

test.each(['bash', 'zsh'] as const)(
  '[TYPED1] control characters in a typed line are told as they are: %s',
  async (shell) => {
    const own = await ownShell(shell)
    expect(await own.typed('echo "\x16\x07\x16\x1b]0;x\x16\x07" | wc -c\r')).toMatchObject({
      command: 'echo "\x07\x1b]0;x\x07" | wc -c',
    })
  },
)

test.each(ShellName.options)(
  '[TYPED1] empty lines, comments, syntax errors and injected commands are no typed runs: %s',
  async (shell) => {
    const setup = shell === 'zsh' ? 'setopt interactive_comments' : ''
    const own = await ownShell(shell, { startFile: setup })
    own.type('\r')
    own.type('   \r')
    own.type('# nothing\r')
    own.type(shell === 'fish' ? 'echo )\r\x15' : 'echo )\r')
    await own.typed('echo one\r')
    await own.output('echo injected')
    await own.output('echo )')
    await own.output('echo two\necho three')
    await own.typed('echo four\r')
    const commands = own.reports.flatMap((report) => ('command' in report ? report.command : []))
    expect(commands).toEqual(['echo one', 'echo one', 'echo four', 'echo four'])
  },
)

test.each(ShellName.options)(
  '[TYPED1] what the shell’s history leaves out for a leading blank is told without its text: %s',
  async (shell) => {
    const startFile = { bash: 'HISTCONTROL=ignoreboth', zsh: 'setopt hist_ignore_space', fish: '' }
    const own = await ownShell(shell, { startFile: startFile[shell] })
    await own.typed('echo plain\r')
    expect(await own.typed(' echo hush\r')).toMatchObject({ command: '', exitCode: 0 })
    expect(await own.typed(' echo plain\r')).toMatchObject({ command: '' })
    expect(await own.typed('echo plain\r')).toMatchObject({ command: 'echo plain' })
    // Taken from the history by key.
    expect(await own.typed('\x1b[A\r')).toMatchObject({ command: 'echo plain' })
    expect(JSON.stringify(own.reports)).not.toContain('hush')
  },
)

test.each(ShellName.options)(
  '[TYPED1] of a very long line the beginning is told, and how much more there was: %s',
  async (shell) => {
    const own = await ownShell(shell)
    const long = `true ${'é;'.repeat(3000)}`.replaceAll(';', 'x')
    const { command } = await own.typed(`${paste(long)}\r`)
    expect(command).toBe(`${long.slice(0, 2000)}… (${long.length - 2000} more)`)
  },
)

test.each(ShellName.options)(
  '[TYPED6] a typed program runs until it ends, whatever is typed into it: %s',
  async (shell) => {
    const own = await ownShell(shell)
    own.type('cat\r')
    expect(await own.started(1)).toMatchObject({ command: 'cat' })
    expect(await own.output('echo never')).toContain('the terminal is busy')
    own.type('echo not a run\r')
    own.type('\x04')
    expect(await own.ended(1)).toMatchObject({ command: 'cat', exitCode: 0 })
    own.type('sleep 1000\r')
    await own.started(2)
    await own.terminal().interrupt('int')
    expect(await own.ended(2)).toMatchObject({ command: 'sleep 1000', exitCode: 130 })
    expect(own.reports.filter(({ type }) => type === 'typed-started')).toHaveLength(2)
    expect(await own.output('echo free')).toBe('free\n')
  },
)

test.each(ShellName.options)(
  '[TYPED6] a typed program that goes on, or ends, while the server is replaced is found again: %s',
  async (shell) => {
    const startFile = {
      bash: `PROMPT_COMMAND='[ ! -e on ] || : >prompted'`,
      zsh: 'precmd() { [[ ! -e on ]] || : >prompted }',
      fish: 'function fish_prompt; test -e on; and touch prompted; echo -n "> "; end',
    }
    const own = await ownShell(shell, { startFile: startFile[shell] })
    const go = join(own.home, 'go')
    const wait = `sh -c 'until [ -e go ]; do sleep 0.05; done; exit 3'`
    own.type(`${wait}\r`)
    const { ptyFrom } = await own.started(1)
    await own.restartServer()
    expect(await own.started(2)).toMatchObject({ command: wait, ptyFrom })
    writeFileSync(go, '')
    expect(await own.ended(1)).toMatchObject({ command: wait, ptyFrom, exitCode: 3 })
    own.type(`sh -c 'until [ -e on ]; do sleep 0.05; done; exit 4'\r`)
    await own.started(3)
    await own.restartServer(async () => {
      const prompted = fileIn(own.home, 'prompted')
      writeFileSync(join(own.home, 'on'), '')
      await prompted
    })
    expect(await own.ended(2)).toMatchObject({ exitCode: 4 })
  },
)
