import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import type { TerminalRunEnd } from '../../src/server/terminal/terminal.ts'
import { startHomeShell } from './support/shell-home.ts'

type Act =
  | { type: 'order'; by: 'person' | 'model'; code: number; isStale: boolean; isPrivate: boolean }
  | { type: 'typed' }
  | { type: 'keys'; keys: string }
  | { type: 'stop' }
  | { type: 'await' }

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant('order' as const),
        by: fc.constantFrom('person' as const, 'model' as const),
        code: fc.integer({ min: 0, max: 9 }),
        isStale: fc.boolean(),
        isPrivate: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ type: 'typed' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('keys' as const),
        // Letters that stay in the line, an empty Enter, and what takes the line away.
        keys: fc.constantFrom('zz', '\r', '\x15', '\x1b[D', 'é'),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ type: 'stop' as const }) },
    { weight: 3, arbitrary: fc.constant({ type: 'await' as const }) },
  ),
  { minLength: 10, maxLength: 30 },
)

interface Ordered {
  id: string
  code: number
  isStale: boolean
  isStopped: boolean
  end: Promise<TerminalRunEnd>
  stop: () => void
}

test.each(ShellName.options)(
  '[FOLD9] a real %s keeps the fold’s rules: what ended ran once, what was not run ran never, a stale stamp runs nothing',
  async (shell) => {
    const own = await startHomeShell(shell, '')
    onTestFinished(own.close)
    const ran = () => readFileSync(join(own.home, 'ran'), 'utf8').split('\n')
    const times = (id: string) => ran().filter((line) => line === id).length
    const type = (keys: string) => own.terminal.liveView.type(keys)
    await own.run(`sh -c 'echo begun >~/ran'`)
    let count = 0

    function order(act: Act & { type: 'order' }): Ordered {
      count += 1
      const id = `o${count}`
      const controller = new AbortController()
      const now = own.terminal.stamp() ?? 0
      const isStale = act.by === 'model' && act.isStale
      const ordered: Ordered = {
        id,
        code: act.code,
        isStale,
        isStopped: false,
        end: own.run(`sh -c 'echo ${id} >>~/ran; exit ${act.code}'`, {
          by: act.by,
          private: act.isPrivate,
          stamp: act.by === 'model' ? (isStale ? now - 1 : now) : null,
          signal: controller.signal,
        }),
        stop() {
          ordered.isStopped = true
          controller.abort()
        },
      }
      return ordered
    }

    await fc.assert(
      fc.asyncProperty(acts, async (history) => {
        const orders: Ordered[] = []
        for (const act of history) {
          if (act.type === 'order') orders.push(order(act))
          if (act.type === 'typed') type(` sh -c 'echo typed >>~/ran'\r`)
          if (act.type === 'keys') type(act.keys)
          if (act.type === 'stop') orders.at(-1)?.stop()
          if (act.type === 'await') await orders.at(-1)?.end
        }
        for (const { id, code, isStale, isStopped, end } of orders) {
          const { outcome, exitCode } = await end
          const found = times(id)
          const told = { id, outcome, exitCode, isStale, found }
          expect(found, JSON.stringify(told)).toBeLessThanOrEqual(1)
          if (outcome === 'not_started') expect(found, JSON.stringify(told)).toBe(0)
          if (isStale) expect(outcome, JSON.stringify(told)).toBe('not_started')
          if (outcome === 'ended' && !isStopped)
            expect({ found, exitCode }, JSON.stringify(told)).toEqual({ found: 1, exitCode: code })
        }
        // The next history begins at an empty line.
        type('\x05\x15')
        // Something that was typed may still run.
        let end = await own.run('true')
        while (end.outcome !== 'ended') {
          await new Promise((resolve) => setImmediate(resolve))
          end = await own.run('true')
        }
      }),
      { numRuns: Number(process.env['TANDEM_CONTRACTS'] ?? 8) },
    )
  },
)
