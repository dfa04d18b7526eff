// needs: root
import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countTasks, listProcesses } from '../../src/server/one-shot/process-table.ts'
import { openProcessLimits } from '../../src/server/process/process-limits.ts'
import { openPlace } from './support/one-shot.ts'

const noCgroups = { cgroupRoot: '/nowhere' }
/** An ordinary user that nothing runs as: what is counted is ours alone. */
const uid = 48_123

test('[ONE90] a fork bomb stays within its limit, is ended whole, and the server answers meanwhile', async () => {
  const place = openPlace()
  const most = 150
  const { limitedCommand } = openProcessLimits({ ...noCgroups, uid, tasks: most })
  // Started as an ordinary user: the system does not count root's processes.
  const limit = (file: string, args: readonly string[]) => {
    const { args: all } = limitedCommand(file, args)
    const drop = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--', '/bin/sh']
    return { file: 'setpriv', args: [...drop, ...all], cgroup: null }
  }
  const bomb = 'bomb() { bomb | bomb & }; echo ready; bomb 2>/dev/null; sleep 1000'
  const run = place.start(bomb, { limit, cwd: '/', timeoutMs: 1_000 })
  await run.printed(/ready/)
  const seen = { worst: 0, peak: 0, isOver: false }
  void run.end.finally(() => {
    seen.isOver = true
  })
  while (!seen.isOver) {
    const before = performance.now()
    await new Promise<void>((resolve) => setImmediate(resolve))
    seen.worst = Math.max(seen.worst, performance.now() - before)
    seen.peak = Math.max(seen.peak, countTasks(uid) ?? 0)
  }
  const end = await run.end
  expect(end).toMatchObject({ outcome: 'ended', notEnded: [] })
  expect(seen.peak).toBeLessThanOrEqual(most)
  expect(livingOf(uid)).toBe(0)
  expect(seen.worst).toBeLessThan(1_000)
  place.remove()
})

/** The dead stay in the count until init has seen them; they do nothing. */
function livingOf(uid: number): number {
  const table = listProcesses() ?? []
  return table.filter(({ pid }) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid)
    .length
}
