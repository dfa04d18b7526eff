// needs: zsh fish
import { onTestFinished, expect, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { typeAs } from '../shells/support/person.ts'
import { type HomeShell, startHomeShell } from '../shells/support/shell-home.ts'
import { startFiles } from '../shells/support/start-files.ts'

async function ownShell(shell: ShellName, file = ''): Promise<HomeShell> {
  const own = await startHomeShell(shell, file)
  onTestFinished(own.close)
  return own
}

/** Where nothing may be overwritten, nothing be unset, and all is traced. */
const strict = {
  bash: 'set -o noclobber -u; set -x',
  zsh: 'setopt no_clobber no_unset ksh_arrays xtrace',
  fish: 'set -g fish_trace 1',
}
const homes = ShellName.options.flatMap((shell) =>
  Object.entries({ ...startFiles[shell], 'strict options': strict[shell] }).map(([name, file]) => ({
    shell,
    name,
    file,
  })),
)

const define = {
  bash: `alias gs='git status
--short'; greet() { :; }; export MY_VARIABLE=1`,
  zsh: `alias gs='git status
--short'; greet() { :; }; export MY_VARIABLE=1`,
  fish: `abbr -a gs 'git status'; function greet; end; set -gx MY_VARIABLE 1`,
}

test.each(homes)(
  '[COMP19] a live shell tells its aliases, functions, variables and search path: $shell with $name',
  async ({ shell, name, file }) => {
    const own = await ownShell(shell, file)
    await own.run(define[shell])
    await own.run(shell === 'fish' ? 'set -gx PATH $PATH /added' : 'PATH=$PATH:/added')
    const found = await own.terminal.names()
    const alias = found?.aliases.find(({ name }) => name === 'gs')
    expect(alias).toEqual({ name: 'gs', value: shell === 'fish' ? '' : 'git status\n--short' })
    expect(found?.functions).toContain('greet')
    expect(found?.variables).toContain('MY_VARIABLE')
    expect(found?.builtins).toContain('cd')
    expect(found?.path.split(':').at(-1)).toBe('/added')
    // What follows is as if nobody had asked.
    const said = async (command: string) => {
      const output = await own.output(command)
      return name === 'strict options' ? `${output.split('\n').at(-2)}\n` : output
    }
    expect(await said('echo one')).toBe('one\n')
    expect((await own.run('false')).exitCode).toBe(1)
    expect((await own.terminal.names())?.functions).toContain('greet')
    expect(await said(shell === 'fish' ? 'echo $status' : 'echo $?')).toBe('1\n')
  },
)

test.each(ShellName.options)(
  '[COMP19] asking leaves a half-typed line and its cursor alone: %s',
  async (shell) => {
    const own = await ownShell(shell)
    await own.run(define[shell])
    await typeAs(own, 'printf 9%s9 hal', /hal/)
    // At this prompt it is not asked, and the server that typing was done through knew nothing yet.
    expect(await own.terminal.names()).toBeNull()
    await typeAs(own, 'f\r', /9half9/)
    expect(await own.output('echo two')).toBe('two\n')
    expect((await own.terminal.names())?.functions).toContain('greet')
    await typeAs(own, 'printf 9%s9 whole\r', /9whole9/)
  },
)

test.each(ShellName.options)(
  '[COMP19] a busy shell is not asked, and its program reads nothing of it: %s',
  async (shell) => {
    const own = await ownShell(shell)
    await own.run(define[shell])
    expect((await own.terminal.names())?.functions).toContain('greet')
    await own.run('true')
    const stop = new AbortController()
    let onWaits = () => {}
    const waits = new Promise<void>((resolve) => (onWaits = resolve))
    const run = own.run('cat -v', { by: 'person', signal: stop.signal, onWaits: () => onWaits() })
    await waits
    expect((await own.terminal.names())?.functions).toContain('greet')
    stop.abort()
    const { output } = await run
    expect(output.head.replaceAll('^C', '').trim()).toBe('')
  },
)

test.each(ShellName.options)(
  '[COMP19] asking adds nothing to the shell’s history, and asks again after each command: %s',
  async (shell) => {
    const own = await ownShell(shell)
    const list = { bash: 'history', zsh: 'fc -l 1', fish: 'history --reverse' }[shell]
    await own.run('echo first')
    for (let round = 0; round < 3; round += 1) {
      await own.run(shell === 'fish' ? `function f${round}; end` : `f${round}() { :; }`)
      expect((await own.terminal.names())?.functions).toContain(`f${round}`)
    }
    const lines = (await own.output(list)).trim().split('\n')
    expect(lines.filter((line) => line.includes('tandem'))).toEqual([])
    expect(lines.length).toBeLessThanOrEqual(5)
  },
)

const loseKey = {
  bash: String.raw`for m in emacs vi-insert vi-command; do bind -m $m -r '\e\C-^7'; done`,
  zsh: String.raw`for m in emacs viins vicmd; do bindkey -M $m -r '\e^^7'; done`,
  fish: String.raw`for m in default insert visual; bind -M $m -e \e\x1e7; end`,
}

test.each(ShellName.options)(
  '[COMP19] a shell that lost the key is asked once in vain, and its line stays clean: %s',
  async (shell) => {
    const own = await ownShell(shell)
    await own.run(loseKey[shell])
    expect(await own.terminal.names()).toBeNull()
    expect(await own.output('echo one')).toBe('one\n')
    expect(await own.terminal.names()).toBeNull()
    await typeAs(own, 'printf 9%s9 whole\r', /9whole9/)
  },
)
