import type { View } from '../fold/view.ts'
import { mayAdopt } from '../status.ts'

interface Size {
  rows: number
  cols: number
}

/** How a terminal view stands at its client. */
export interface TerminalSight {
  isLive: boolean
  /** The terminal's size; null until the first screen is drawn. */
  size: Size | null
  /** As much as its place has room for; null where that is not known. */
  room: Size | null
  /** The answer to a key that was refused; null when the last one was heard. */
  refused: string | null
  link: string | null
  /** The effect of the last Stop. */
  stopped: string | null
}

interface Line {
  /** `idle`: nothing has to be said, so there is room to say which key leaves. */
  kind: 'secret' | 'warning' | 'quiet' | 'idle'
  text: string
}

/** One line below a terminal: what matters most now. */
export function terminalLine(view: View, sight: TerminalSight): Line {
  const { refused, size, isLive, stopped, link } = sight
  if (view.terminal?.screen === 'secret')
    return {
      kind: 'secret',
      text: 'A password is asked for. The keyboard is yours: what you type goes to the program only, and the model does not see it.',
    }
  if (refused !== null) return { kind: 'warning', text: refused }
  if (size === null) return { kind: 'quiet', text: 'Opening the terminal…' }
  if (!isLive) return { kind: 'warning', text: 'Not connected; what you see may be old.' }
  if (stopped !== null) return { kind: 'warning', text: stopped }
  if (link !== null) return { kind: 'quiet', text: `Ctrl+click opens ${link}` }
  if (mayAdopt(view)) return { kind: 'quiet', text: whyAdopt }
  return { kind: 'idle', text: sizeWords(sight) }
}

/** The reason to adopt, where that is offered. */
export const whyAdopt =
  'A shell of its own runs in this one. Adopt it, and each command in it has an entry and an exit code.'

function sizeWords({ size, room }: TerminalSight): string {
  const isSmaller =
    size !== null && room !== null && (size.cols < room.cols || size.rows < room.rows)
  return isSmaller ? `${size.cols}×${size.rows}, so that all who look can see it` : ''
}

/** The part of a masked field that its words depend on. */
interface Asked {
  phase: 'asked' | 'likely' | 'over'
  program: string
  question: string | null
}

interface SecretWords {
  label: string
  line: string
}

/** The words beside a field for a secret. */
export function secretWords({ phase, program, question }: Asked): SecretWords {
  const who = program === '' ? 'the program in the terminal' : program
  const label = `Secret for ${who}`
  if (phase === 'likely') {
    const words = question === null ? 'The last line in the terminal' : `“${question}”`
    return {
      label,
      line: `${words} looks like a question for a password. Who is this line for?`,
    }
  }
  if (phase === 'over') return { label, line: 'The program no longer asks.' }
  const asks = program === '' ? 'A program asks' : `${program} asks`
  return { label, line: `${asks} for a secret. It goes to the program only, not to the model.` }
}
