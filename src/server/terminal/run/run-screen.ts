import { whole } from '../../../base/text.ts'
import type { Range } from '../byte-log/read-byte-log.ts'
import type { Looked } from '../byte-log/read-screen.ts'
import type { Capture, RunOutput } from './output.ts'
import type { Captured } from '../terminal.ts'
import { within } from '../within.ts'

/** Draws the screen that the output from here on makes, without the hidden places. */
export type DrawScreen = (from: number, hidden: readonly Range[]) => Promise<Looked>

interface RunScreenDeps {
  output: Pick<RunOutput, 'soFar' | 'isExact'>
  /** The offset at which the run's output begins. */
  from: () => number | null
  /** Null: there is no emulator. */
  screen: DrawScreen | null
}

/** The emulator may be busy with a flood; an answer is not worth waiting longer for. */
const drawMs = 10_000

/** The view that a model gets of a program that goes on. */
export function createRunScreen({ output, from, screen }: RunScreenDeps) {
  /** Draws the run's own output alone: what others printed before it stood on another screen. */
  async function look(hidden: readonly Range[]): Promise<Looked | null> {
    const begin = from()
    // Without a movement of the cursor nobody has taken the screen.
    if (screen === null || begin === null || output.isExact()) return null
    const looking = screen(begin, hidden).catch(() => null)
    return (await within(drawMs, looking)) ? looking : null
  }

  return {
    /** The screen of one that took it, else all of its output. */
    async now(): Promise<Captured> {
      const seen = await look([])
      return seen?.isAlternate ? whole(seen.text) : output.soFar()
    },
    /** The screen where that says more than what was printed since, else that. */
    async since(printed: Capture, hidden: readonly Range[]): Promise<Captured> {
      const seen = await look(hidden)
      if (seen === null || (!seen.isAlternate && printed.isExact())) return printed.result()
      return whole(seen.text)
    },
  }
}
