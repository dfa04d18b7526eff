import { expect, onTestFinished, test } from 'vitest'
import type { ShellName } from '../../src/protocol/events/shell.ts'
import { startHomeShell } from './support/shell-home.ts'

const prints: Readonly<Record<ShellName, readonly string[]>> = {
  bash: ['set', 'declare -p', 'declare -f', 'echo "$PS1$PS0"', 'set -x', 'echo $__tandem_nonce'],
  zsh: ['set', 'typeset -p', 'functions', 'setopt xtrace', 'echo $__tandem_nonce'],
  fish: ['set', 'set -S', 'functions __tandem_mark', 'echo $__tandem_nonce'],
}

test.each(
  Object.entries(prints).map(([shell, commands]) => ({ shell: shell as ShellName, commands })),
)(
  '[TERM25] $shell: what only the shell and we may know is in no record, whatever prints it',
  async ({ shell, commands }) => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    const spelled = await own.output(`echo $__tandem_nonce | sed 's/./&./g'`)
    const nonce = spelled.trim().replaceAll('.', '')
    expect(nonce).toMatch(/^[0-9a-f]{24}$/)
    for (const command of commands) {
      const said = await own.output(command)
      expect(said).not.toContain(nonce)
      if (command !== 'set -x' && command !== 'setopt xtrace') expect(said).not.toBe('')
    }
    expect(await own.output('echo a; false')).toMatch(/(^|\n)a\n/)
    let shown = ''
    for await (const item of own.terminal.recording())
      if ('bytes' in item) shown += Buffer.from(item.bytes).toString('latin1')
    expect(shown).not.toContain(nonce)
    expect(shown).toContain('*'.repeat(24))
  },
)
