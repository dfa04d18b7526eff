import type { TerminalUpdate } from '../../../protocol/delta.ts'

/** Whether a state of the terminal is no news after another. */
export function isSame(a: TerminalUpdate, b: TerminalUpdate): boolean {
  if (a.phase !== b.phase || a.driver !== b.driver || a.screen !== b.screen) return false
  return (
    a.cwd === b.cwd &&
    a.integration === b.integration &&
    a.hasNested === b.hasNested &&
    a.size.rows === b.size.rows &&
    a.size.cols === b.size.cols
  )
}
