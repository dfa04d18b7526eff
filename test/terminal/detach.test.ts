import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTerminal } from './support/temp-shell.ts'

test.each(['at once', 'before the first prompt'] as const)(
  '[TERM84] a server that leaves while a shell starts, %s, holds on to none',
  async (when) => {
    const { terminal, home, close } = await makeTerminal({ shell: 'bash' })
    onTestFinished(close)
    const waits = 'touch ~/began; while ! [ -e ~/go ]; do sleep 0.02; done\n'
    writeFileSync(join(home, '.bashrc'), waits)
    const started = terminal.start({ generation: 1, cwd: home })
    if (when === 'before the first prompt')
      await expect.poll(() => existsSync(join(home, 'began')), { timeout: 20_000 }).toBe(true)
    await terminal.detach()
    writeFileSync(join(home, 'go'), '')
    expect(await started).toEqual({ ok: false, error: 'The shell was left while it started.' })
    expect(await terminal.offer()).toBeNull()
  },
)
