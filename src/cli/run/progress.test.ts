import { expect, test } from 'vitest'
import { createLog } from '../../../test/client/logs.ts'
import { advanceRun, beginRun, isRunOver, runExitCode, runRemark } from './printer.ts'

type Log = ReturnType<typeof createLog>
const follow = (log: Log, first: number) =>
  log
    .events()
    .filter((event) => event.seq >= first)
    .reduce(advanceRun, beginRun({ first, head: first }))

test('[CLI9] a run ends with the code its command ended with', () => {
  const log = createLog()
  log.start()
  const call = log.call('exit 7')
  expect(isRunOver(follow(log, call))).toBe(false)
  const start = log.runStart(call, 'exit 7')
  expect(isRunOver(follow(log, call))).toBe(false)
  log.runEnd(start, 7)
  expect(isRunOver(follow(log, call))).toBe(true)
  expect(runExitCode(follow(log, call))).toBe(7)
  expect(runRemark(follow(log, call))).toBeNull()
})

test('[CLI5] a command that waits or is being stopped is not over before its run is', () => {
  for (const [status, code] of [
    ['waiting', 3],
    ['timeout', 124],
  ] as const) {
    const log = createLog()
    log.start()
    const call = log.call('x')
    const start = log.runStart(call, 'x')
    log.respond(call, status)
    expect(isRunOver(follow(log, call))).toBe(false)
    log.runEnd(start, 3)
    expect(isRunOver(follow(log, call))).toBe(true)
    expect(runExitCode(follow(log, call))).toBe(code)
  }
})

test('[CLI5] a call that is answered without a run is over, and it is said why', () => {
  const log = createLog()
  log.start()
  const call = log.call('x')
  log.respond(call, 'denied')
  const progress = follow(log, call)
  expect(isRunOver(progress)).toBe(true)
  expect(runExitCode(progress)).toBe(1)
  expect(runRemark(progress)).toBe('the command did not run (denied).')
})
