// needs: python3
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openProcessLimits } from '../../src/server/process/process-limits.ts'
import { startMany } from './support/start-many.ts'
import { startShell, text } from './support/temp-shell.ts'

/** An ordinary user that nothing else runs as: the system does not count root's processes. */
const uid = 48_124

test('[TERM106] what runs in the shared shell has no core files, goes first when memory is short, and keeps its limits', async () => {
  const { limitedCommand } = openProcessLimits({
    cgroupRoot: '/nowhere',
    memoryBytes: 512 * 2 ** 20,
  })
  const own = await startShell({
    terminal: { limit: (file, args) => limitedCommand(file, args, 'long') },
  })
  onTestFinished(() => own.close())
  const limits = text((await own.run('cat /proc/self/limits /proc/self/oom_score_adj')).output)
  expect(limits).toMatch(/^Max core file size +0 +0 /m)
  expect(limits).toMatch(/^Max data size +536870912 +536870912 /m)
  expect(limits).toMatch(/^200$/m)
  // The shell is the same process as without limits, and speaks as well.
  expect(own.info).toMatchObject({ shell: 'bash', integration: 'full' })
  expect(readFileSync(`/proc/${own.info.pid}/comm`, 'utf8')).toBe('bash\n')
  expect(text((await own.run('echo $SHLVL')).output)).toBe('1\n')
})

test('[TERM106] a shell has room for at least 4,096 tasks', () => {
  const { tasks, kind } = openProcessLimits().inForce('long')
  expect(kind === 'cgroup' ? tasks : Infinity).toBeGreaterThanOrEqual(4_096)
  expect(openProcessLimits({ cgroupRoot: '/nowhere', uid }).inForce('long').tasks).toBeGreaterThan(
    4_096,
  )
})

const { limitedCommand, inForce } = openProcessLimits({ tasks: 30 })

test.runIf(inForce().kind === 'cgroup')(
  '[TERM106] a run that hits the limit of its shell’s control group says so, and one that does not, not',
  async () => {
    const own = await startShell({
      terminal: { limit: (file, args) => limitedCommand(file, args, 'long') },
    })
    onTestFinished(() => own.close())
    expect(text((await own.run(startMany(10))).output)).toBe('all started\n')
    expect(text((await own.run(startMany(100))).output)).toBe(
      'refused\nThe limit of 30 processes for this shell was hit: not everything could be started.\n',
    )
    expect(text((await own.run('echo on')).output)).toBe('on\n')
  },
)
