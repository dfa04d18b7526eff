import { expect, test } from 'vitest'
import { createLog } from '../../test/client/logs.ts'
import { viewOf } from './fold/entries.ts'
import { shellEnd } from './status.ts'

test('[VIEW6] why an earlier shell ended is never taken for the end of the one after it', () => {
  const log = createLog()
  const seen = () => shellEnd(viewOf(log.events()))
  const start = (generation: number) =>
    log.add({
      type: 'shell_start',
      generation,
      shell: 'bash',
      pid: 7,
      cwd: '/work',
      integration: 'full',
    })
  const exit = (generation: number, reason: 'restarted' | 'exited') =>
    log.add({ type: 'shell_exit', generation, reason, exitCode: 0, signal: null })
  log.start()
  expect(seen()).toBe(null)
  start(1)
  exit(1, 'restarted')
  expect(seen()).toBe('restarted')
  start(2)
  expect(seen()).toBe(null)
  exit(2, 'exited')
  expect(seen()).toBe('exited')
})
