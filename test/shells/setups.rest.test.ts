import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ShellName } from '../../src/protocol/events/shell.ts'
import { text } from '../terminal/support/temp-shell.ts'
import { typeAs } from './support/person.ts'
import { startHomeShell } from './support/shell-home.ts'
import { setups } from './support/setups.ts'

/** How many hooks there are, as the shell itself counts them. */
const countHooks: Readonly<Record<ShellName, string>> = {
  bash: 'printf "%s\\n" "${PROMPT_COMMAND[@]}" | wc -lc',
  zsh: 'echo $#precmd_functions $#preexec_functions $#zshaddhistory_functions',
  fish: 'functions --handlers | count',
}

test.each(setups)(
  '[TERM70] $shell with $name: output, exit codes and folder are exact, the half-typed line survives, and no list of hooks grows',
  async ({ shell, file, integration = 'full', hasNoCode = false }) => {
    const own = await startHomeShell(shell, file)
    onTestFinished(own.close)
    const code = (number: number) => (hasNoCode ? null : number)
    mkdirSync(join(own.home, 'sub'))
    expect(own.terminal.liveView.state().integration).toBe(integration)
    const first = await own.run('echo hi', { by: 'person' })
    expect([text(first.output), first.exitCode]).toEqual(['hi\n', code(0)])
    const failed = await own.run('false', { by: 'person' })
    expect([text(failed.output), failed.exitCode]).toEqual(['', code(1)])
    const before = await own.output(countHooks[shell])
    await typeAs(own, 'printf 9%s9 hal', /hal/)
    expect(await own.run('cd sub')).toMatchObject({ exitCode: code(0) })
    const several = await own.run(`printf 'a\\nb' | cat\nsh -c 'exit 7'`)
    expect([text(several.output), several.exitCode]).toEqual(['a\nb', code(7)])
    for (let times = 0; times < 20; times += 1) {
      const end = await own.run(times % 2 ? 'true' : 'false')
      expect([text(end.output), end.exitCode]).toEqual(['', code(times % 2 ? 0 : 1)])
    }
    expect(await own.output('pwd')).toBe(`${join(own.home, 'sub')}\n`)
    await typeAs(own, 'f\r', /9half9/)
    expect(await own.output(countHooks[shell])).toBe(before)
  },
)

test.each(setups.filter(({ name }) => /preexec/.test(name)))(
  '[TERM70] $name: hooks before a command get that command, and nothing of ours or of a private one',
  async ({ shell, file }) => {
    const own = await startHomeShell(shell, file)
    onTestFinished(own.close)
    await own.run('echo one', { by: 'person' })
    await typeAs(own, 'echo by-hand\r', /by-hand[^]*by-hand/)
    await own.run('echo two; false')
    await own.run('echo hushed', { by: 'person', private: true })
    await own.run('echo three\necho four')
    const noted = readFileSync(join(own.home, 'noted'), 'utf8').split('\n')
    expect(noted.slice(0, 3)).toEqual(['echo one', 'echo by-hand', 'echo two; false'])
    expect(noted.join('\n')).not.toMatch(/hushed|__tandem/)
    expect(await own.output('history | grep -c "by-han[d]"')).toBe('1\n')
    await own.run('exit')
    await own.shellEnd
    expect(readFileSync(join(own.home, '.bash_history'), 'utf8')).toBe('echo by-hand\n')
  },
)
