import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Foreground } from '../../src/server/terminal/probe/classify.ts'
import { createProbe } from '../../src/server/terminal/probe/probe.ts'
import { watchForeground } from '../../src/server/terminal/probe/watch-foreground.ts'
import { startShell } from '../terminal/support/temp-shell.ts'
import { begun, openShell, type ProbedShell } from './support/shell.ts'

async function shellWith(command: string): Promise<ProbedShell> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-probe-'))
  const shell = await openShell(folder, () => {})
  onTestFinished(async () => {
    await shell.close()
    rmSync(folder, { recursive: true, force: true })
  })
  shell.type(`${command}\n`)
  await shell.printed(begun)
  return shell
}

/** Reports as they come; `until` resolves at the next one of this state. */
function follow(at: { pid: number; pts: string }) {
  const seen: Foreground[] = []
  let onMore: () => void = () => {}
  const watch = watchForeground({ shellPid: at.pid, pts: at.pts }, (found) => {
    seen.push(found)
    onMore()
  })
  onTestFinished(watch.stop)
  async function until(state: Foreground['state']): Promise<Foreground> {
    for (;;) {
      const next = seen.shift()
      if (next?.state === state) return next
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          onMore = resolve
        })
      }
    }
  }
  return { watch, until }
}

test('[PROBE20] follows one program from a plain question to a hidden one and back, with nothing printed between', async () => {
  const shell = await shellWith('read a; read -s b; read c; sleep 60')
  const { until } = follow(shell)
  await until('waiting')
  shell.type('plain\n')
  await until('secret')
  shell.type('hidden\n')
  await until('waiting')
  shell.type('end\n')
  expect(await until('running')).toMatchObject({ certain: true, program: 'sleep' })
})

test('[PROBE8] a thousand processes cost a look no more than 20 ms and are called unknown', async () => {
  const shell = await shellWith(
    'bash -c \'for i in {1..1000}; do sleep 300 & done; echo rea""dy; wait\'',
  )
  await shell.printed('ready')
  const probe = createProbe({ shellPid: shell.pid, pts: shell.pts })
  const looks = 20
  const before = process.cpuUsage()
  for (let time = 0; time < looks; time += 1) {
    expect((await probe.read()).state).toBe('unknown')
  }
  // Time on the processor: on a busy machine the clock measures the others.
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000 / looks).toBeLessThan(20)
})

test("[PROBE20] in the project's own shell, a run's hidden question is a secret, and its end the prompt", async () => {
  const shell = await startShell()
  onTestFinished(() => shell.close())
  const at = { pid: shell.info.pid, pts: readlinkSync(`/proc/${shell.info.pid}/fd/0`) }
  const { watch, until } = follow(at)
  const run = shell.run('read -s -p "Password: " x', { onOutput: () => watch.stir() })
  expect(await until('secret')).toMatchObject({ certain: true, pid: at.pid })
  await shell.terminal.interrupt('int')
  await run
  expect(await until('prompt')).toMatchObject({ certain: true, pid: at.pid })
})

test('[PROBE1] of a shell that is gone nothing is known', async () => {
  const shell = await shellWith('cat')
  const { watch, until } = follow(shell)
  await until('waiting')
  await shell.close()
  expect(await watch.ask()).toEqual({ state: 'unknown', certain: false })
})
