// needs: zsh fish
import { expect, onTestFinished, test } from 'vitest'
import { startShell } from '../terminal/support/temp-shell.ts'

test.each(['bash', 'zsh', 'fish'])(
  '[TERM19] in the terminal the command stands at the prompt as if typed, before its output: %s',
  async (name) => {
    const own = await startShell({ shell: name })
    onTestFinished(() => own.close())
    const first = await own.run('true')
    const end = await own.run("printf '%s' abc'def'", { by: 'model' })
    const range = { from: first.ptyTo ?? 0, to: end.ptyTo ?? 0 }
    const shown = String((await own.terminal.readOutput(range)).bytes)
    // Colours and the editor's own sequences may stand between the letters.
    const plain = shown.replaceAll(
      /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[=>()]\w?)/g,
      '',
    )
    expect(plain).toContain("printf '%s' abc'def'")
    expect(plain.endsWith('abcdef')).toBe(true)
  },
)
