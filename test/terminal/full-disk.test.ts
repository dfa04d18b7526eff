// needs: root
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTerminal, runOf, text } from './support/temp-shell.ts'

test('[TERM230] that the disk is full is told while the run goes on, and its end says how much was not kept', async () => {
  const made = await makeTerminal()
  mkdirSync(made.folder, { mode: 0o700 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', made.folder])
  onTestFinished(async () => {
    await made.terminal.close()
    execFileSync('umount', ['--lazy', made.folder])
    await made.close()
  })
  expect(await made.terminal.start({ generation: 1, cwd: made.home })).toMatchObject({ ok: true })
  const go = join(made.home, 'go')
  execFileSync('mkfifo', [go])
  let told: () => void = () => {}
  const isTold = new Promise<void>((resolve) => {
    told = resolve
  })
  // More than there is room for; then it goes on until somebody has heard of it.
  const command = `yes 0123456789 | head -c 6000000; read -r _ < ${go}; echo over`
  const { run, watch } = runOf(command, { by: 'person' })
  const end = made.terminal.run(run, { ...watch, onRefused: () => told() })
  await isTold
  writeFileSync(go, 'on\n')
  const { outcome, exitCode, bytes, omitted, output } = await end
  expect({ outcome, exitCode }).toEqual({ outcome: 'ended', exitCode: 0 })
  expect(bytes).toBeGreaterThan(6_000_000)
  expect(omitted).toBeGreaterThan(0)
  const last = text(output).trimEnd().split('\n').at(-1)
  expect(last).toMatch(/^The disk was full: \d+ bytes of the output were not kept\.$/)
})
