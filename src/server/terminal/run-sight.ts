import type { Range } from './byte-log-reader.ts'
import type { Capture } from './capture.ts'
import type { Looked } from './look.ts'
import type { RunOutput } from './run-output.ts'
import type { Captured } from './terminal.ts'
import { within } from './within.ts'

/** Draws what stands on the screen of what was printed from here on, without the hidden places. */
export type DrawScreen = (from: number, hidden: readonly Range[]) => Promise<Looked>

export interface RunSightDeps {
  output: Pick<RunOutput, 'soFar' | 'isExact'>
  /** Where the run's output begins. */
  from: () => number | null
  /** Null: there is no emulator. */
  screen: DrawScreen | null
}

/** What the model gets to see of a program that goes on. */
export interface RunSight {
  /** The screen of one that took it, else all of its output. */
  now: () => Promise<Captured>
  /** The screen where that says more than what was printed since, else that. */
  since: (printed: Capture, hidden: readonly Range[]) => Promise<Captured>
}

/** The emulator may be busy with a flood; an answer is not worth waiting longer for. */
const drawMs = 10_000

export function createRunSight({ output, from, screen }: RunSightDeps): RunSight {
  /** Of the run's own output alone: what others printed before it stood on another screen. */
  async function look(hidden: readonly Range[]): Promise<Looked | null> {
    const begin = from()
    // Without a movement of the cursor nobody has taken the screen.
    if (screen === null || begin === null || output.isExact()) return null
    const looking = screen(begin, hidden).catch(() => null)
    return (await within(drawMs, looking)) ? looking : null
  }

  return {
    async now() {
      const seen = await look([])
      return seen?.isAlternate ? shown(seen) : output.soFar()
    },
    async since(printed, hidden) {
      const seen = await look(hidden)
      if (seen === null || (!seen.isAlternate && printed.isExact())) return printed.result()
      return shown(seen)
    },
  }
}

const shown = ({ text }: Looked): Captured => ({ head: text, tail: '', omittedChars: 0 })
