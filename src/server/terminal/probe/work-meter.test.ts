import { expect, test } from 'vitest'
import type { ProcFiles } from './proc-files.ts'
import { createWorkMeter } from './work-meter.ts'

/** A shell that is in the foreground itself, with its state and processor time in ticks. */
function meterOf(shell: { state: string; ticks: number }) {
  let at = 0
  const files: ProcFiles = {
    text: (path) => {
      if (path !== '/proc/7/stat') return 'gone'
      const fields = [shell.state, 1, 7, 7, 0, 7, 0, 0, 0, 0, 0, shell.ticks, 0, 0, 0, 0, 0, 1]
      return { text: `7 (bash) ${fields.join(' ')}` }
    },
    link: () => null,
    list: () => null,
    later: async () => 'gone',
    memory: async () => null,
  }
  return createWorkMeter({ shellPid: 7, files, now: () => (at += 1_000) })
}

test('[TERM57] a program that waits has not worked, one that used the processor has', () => {
  const shell = { state: 'S', ticks: 0 }
  const meter = meterOf(shell)
  expect([meter.hasWorked(), meter.hasWorked()]).toEqual([false, false])
  shell.ticks += 50
  expect([meter.hasWorked(), meter.hasWorked()]).toEqual([true, false])
})

test.each(['R', 'D'])(
  '[TERM57] a program that wants the processor or its disk (%s) is at work, also where others get all of it',
  (state) => {
    const shell = { state, ticks: 0 }
    const meter = meterOf(shell)
    expect([meter.hasWorked(), meter.hasWorked(), meter.hasWorked()]).toEqual([false, true, true])
    shell.state = 'S'
    expect(meter.hasWorked()).toBe(false)
  },
)
