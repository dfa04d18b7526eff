import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { startHomeShell } from './support/shell-home.ts'

test.each(ShellName.options)(
  '[TERM25] %s: where somebody tidied our private folder away, commands run as before, private ones too',
  async (shell) => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    const folder = (await own.output('echo $__tandem_folder')).trim()
    expect(dirname(folder)).toMatch(/tandem-\d+$/)
    rmSync(folder, { recursive: true })
    expect(await own.output('echo one')).toBe('one\n')
    expect(await own.output('echo two', { by: 'person', private: true })).toBe('two\n')
    expect(await own.output(`: ${'x'.repeat(20_000)}; echo long`)).toBe('long\n')
    let shown = ''
    for await (const item of own.terminal.recording())
      if ('bytes' in item) shown += Buffer.from(item.bytes).toString('latin1')
    expect(shown).not.toMatch(/No such file|no such file|does not exist/)
  },
)

test('[TERM25] a logout that removes the runtime folder takes nothing from a shell', async () => {
  const runtime = mkdtempSync(join(tmpdir(), 'tandem-runtime-'))
  const own = await startHomeShell('bash', '', { XDG_RUNTIME_DIR: runtime })
  onTestFinished(own.close)
  rmSync(runtime, { recursive: true })
  expect(await own.output('echo one', { by: 'person', private: true })).toBe('one\n')
})
