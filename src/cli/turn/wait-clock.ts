import type { Event } from '../../protocol/events/event.ts'
import { wholeSeconds } from '../../view/words/clock.ts'
import type { Io } from '../io.ts'

/** Rarely enough for a log of it to be read, often enough for somebody who wonders. */
const everyMs = 15_000

/** Tells a person at a terminal, now and then, how long the model has been asked for a word, or for the next. */
export function createWaitClock(io: Pick<Io, 'note' | 'isTerminal'>) {
  let timer: NodeJS.Timeout | undefined

  const stop = () => clearInterval(timer)

  function start(doing: string, { isMidLine = false } = {}): void {
    stop()
    if (!io.isTerminal.stderr) return
    let waited = 0
    timer = setInterval(() => {
      waited += everyMs
      const gap = isMidLine && waited === everyMs ? '\n' : ''
      io.note(`${gap}  [the model is ${doing}: ${wholeSeconds(waited)}]`)
    }, everyMs)
    timer.unref()
  }

  return {
    event({ type }: Event): void {
      if (type === 'step_start') start('thinking')
      if (type === 'message' || type === 'step_end' || type === 'agent_end') stop()
    },
    /** A word has come. More may follow, or a call whose arguments take minutes and are not shown. */
    word: () => start('still working', { isMidLine: true }),
    stop,
  }
}
