import { describe, expect, test } from 'vitest'
import type { Foreground } from './classify.ts'
import { watchForeground } from './watch-foreground.ts'

/** A clock that stands still until it is told, and the looks at each time of it. */
function setUp() {
  let now = 0
  let due: { at: number; run: () => void }[] = []
  let state: Foreground = { state: 'running', certain: true, pid: 1 }
  const looks: number[] = []
  const told: string[] = []
  let forgotten = 0
  const watch = watchForeground(
    {
      shellPid: 1,
      pts: '/dev/pts/0',
      timers: {
        now: () => now,
        after(ms, run) {
          const timer = { at: now + ms, run }
          due.push(timer)
          return () => {
            due = due.filter((other) => other !== timer)
          }
        },
      },
      probe: {
        async read() {
          looks.push(now)
          return state
        },
        forget() {
          forgotten += 1
        },
      },
    },
    (found) => told.push(found.state),
  )
  return {
    watch,
    looks,
    told,
    forgotten: () => forgotten,
    timers: () => due.length,
    become(next: Foreground) {
      state = next
    },
    /** Passes time, a timer at a time, and lets each look end. */
    async pass(ms: number) {
      const end = now + ms
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (next === undefined) break
        due = due.filter((other) => other !== next)
        now = Math.max(now, next.at)
        next.run()
        await new Promise(setImmediate)
      }
      now = end
    },
  }
}

describe('the watch', () => {
  test('[PROBE8] looks after 150 ms of silence, then ever more rarely, down to once a second', async () => {
    const { looks, pass } = setUp()
    await pass(5000)
    expect(looks).toEqual([150, 300, 600, 1200, 2200, 3200, 4200])
  })

  test('[PROBE8] starts again when something is printed or typed', async () => {
    const { watch, looks, pass, forgotten } = setUp()
    await pass(3000)
    watch.stir()
    expect(forgotten()).toBe(1)
    await pass(500)
    expect(looks.slice(-2)).toEqual([3150, 3450])
  })

  test('[PROBE8] looks once a second at what is never silent', async () => {
    const { watch, looks, pass } = setUp()
    for (let time = 0; time < 50; time += 1) {
      watch.stir()
      await pass(60)
    }
    expect(looks).toEqual([1000, 2000, 3000])
  })

  test('[PROBE15] tells changes only', async () => {
    const { told, pass, become } = setUp()
    await pass(3000)
    become({ state: 'running', certain: true, pid: 2 })
    await pass(3000)
    expect(told).toEqual(['running'])
    become({ state: 'waiting', certain: true, pid: 2 })
    await pass(3000)
    become({ state: 'waiting', certain: true, pid: 3 })
    await pass(3000)
    become({ state: 'secret', certain: true, pid: 3 })
    await pass(3000)
    expect(told).toEqual(['running', 'waiting', 'waiting', 'secret'])
  })

  test('[PROBE15] answers at once when asked, with what is true after the question', async () => {
    const { watch, told, become } = setUp()
    const first = watch.ask()
    become({ state: 'secret', certain: true })
    expect((await watch.ask()).state).toBe('secret')
    expect((await first).state).toBe('running')
    expect(told).toEqual(['running', 'secret'])
  })

  test('[PROBE15] stopped, it has no timer left and says nothing, also of a look under way', async () => {
    const { watch, told, timers, pass } = setUp()
    const asked = watch.ask()
    watch.stop()
    await asked
    watch.stir()
    await pass(3000)
    expect([timers(), told]).toEqual([0, []])
  })
})
