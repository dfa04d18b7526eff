import type { Terminal } from '@xterm/xterm'
import { coreOf } from './xterm-core.ts'

/** What a program asked to hear when its window gets or loses the focus; no query has this answer. */
const focusReports = new Set(['\x1b[I', '\x1b[O'])

/**
 * What a person types, and nothing that the emulator says by itself: questions of programs are
 * answered by the server's emulator, once, however many pages are open.
 */
export function onTyped(terminal: Terminal, listen: (data: string) => void): void {
  let isPerson = false
  coreOf(terminal).coreService.onUserInput(() => {
    isPerson = true
  })
  terminal.onData((data) => {
    const isTyped = isPerson || focusReports.has(data)
    isPerson = false
    if (isTyped) listen(data)
  })
}
