// needs: zsh fish
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { startTyping } from '../terminal/support/typing-shell.ts'

const histories: Readonly<Record<ShellName, { file: string; setup: string; lists: string[] }>> = {
  bash: { file: '.bash_history', setup: '', lists: ['history', 'fc -l -100', 'declare -p'] },
  zsh: {
    file: '.zsh_history',
    setup: 'HISTFILE=~/.zsh_history HISTSIZE=100 SAVEHIST=100; setopt share_history',
    lists: ['fc -l 1', 'history 1', 'print -rl -- $history', 'typeset -p'],
  },
  fish: { file: '.local/share/fish/fish_history', setup: '', lists: ['history', 'set'] },
}

const long = `echo hushed-long; : ${'x'.repeat(20_000)}`
const commands = {
  'one line': 'echo hushed-one',
  'several lines': 'echo hushed-a\necho hushed-b',
  'a syntax error': 'echo hushed-wrong )',
  'a very long line': long,
}

test.each(ShellName.options)(
  '[SHELL11] a private command leaves no trace in the shell, and the person’s own history is as it was: %s',
  async (shell) => {
    const { file, setup, lists } = histories[shell]
    const own = await startTyping(shell, { startFile: setup })
    onTestFinished(own.close)
    await own.typed('echo by-hand\r')
    for (const command of Object.values(commands)) {
      expect(await own.output(command, { by: 'person', private: true })).toMatch(/hushed|rror|\)/)
      // The key for the last line brings back what the person typed themselves.
      expect(await own.typed('\x1b[A\r')).toMatchObject({ command: 'echo by-hand' })
    }
    await own.output('echo in-the-list', { by: 'person' })
    for (const list of lists) {
      const listed = await own.output(list)
      expect(listed).not.toContain('hushed')
      if (list === lists[0]) expect(listed).toMatch(/by-hand[^]*in-the-list|in-the-list[^]*by-hand/)
    }
    // What was private once is theirs to type.
    expect(await own.typed('echo hushed-one\r')).toMatchObject({ command: 'echo hushed-one' })
    expect(await own.output(lists[0]!)).toContain('echo hushed-one')
    await own.output('echo hushed-one', { by: 'person', private: true })
    expect(await own.output(lists[0]!)).toContain('echo hushed-one')
    await own.output('exit').catch(() => '')
    const path = join(own.home, file)
    const saved = existsSync(path) ? readFileSync(path, 'utf8') : ''
    expect(saved).toContain('echo by-hand')
    expect(saved).toContain('echo hushed-one')
    expect(saved).not.toMatch(/hushed-(a|b|long|wrong)|in-the-list/)
  },
)
