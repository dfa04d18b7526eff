import { terminalRun } from '../log/open.ts'
import type { View } from './view.ts'

/** A shell inside the session's own waits at its prompt, and commands could run in it. */
export function mayAdopt({ state, terminal }: View): boolean {
  if (terminal?.hasNested !== true || terminal.screen !== 'line') return false
  // What is private stays so, and one adoption at a time is enough.
  const isUnderWay = state.calls.some(({ request }) => request.name === 'adopt')
  return !isUnderWay && terminalRun(state)?.private !== true
}
