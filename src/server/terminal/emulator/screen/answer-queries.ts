import type { Terminal } from '@xterm/headless'
import type { Core } from './internals.ts'

/** `#rrggbb` */
const [foreground, background] = ['#d4d4d4', '#1e1e1e']

interface QueryDeps {
  terminal: Terminal
  core: Core
  answer: (text: string) => void
}

/** Answers queries that @xterm/headless does not answer, or not rightly; the others it answers itself. */
export function answerQueries({ terminal, core, answer }: QueryDeps): void {
  terminal.onData(answer)
  const known = [foreground, background, foreground]
  for (const first of [10, 11, 12]) {
    terminal.parser.registerOscHandler(first, (data) => {
      // One sequence may ask for several, counted up from its own number.
      for (const [index, part] of data.split(';').entries()) {
        const colour = known[first - 10 + index]
        if (part === '?' && colour !== undefined)
          answer(`\x1b]${first + index};${rgb(colour)}\x1b\\`)
      }
      return true
    })
  }
  core.registerCsiHandler({ final: 'n' }, ({ params }) => {
    if (params[0] !== 6) return false
    const { cursorX, cursorY } = terminal.buffer.active
    // A cursor behind the last column is told as on it.
    answer(`\x1b[${cursorY + 1};${Math.min(cursorX, terminal.cols - 1) + 1}R`)
    return true
  })
}

function rgb(colour: string): string {
  const parts = /^#(..)(..)(..)$/.exec(colour)?.slice(1) ?? ['00', '00', '00']
  return `rgb:${parts.map((part) => part + part).join('/')}`
}
