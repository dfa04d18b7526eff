import { assertNever } from '../../base/assert-never.ts'
import type { TerminalAct, TerminalInput } from '../../protocol/events/call.ts'

/** Keys that look around or leave; none of them says yes to anything. */
const harmless = new Set('Up Down Left Right PageUp PageDown Home End Escape'.split(' '))

export function isInput(act: TerminalAct): act is TerminalInput {
  return act.type !== 'read' && act.type !== 'resize'
}

/** Stopping a program, or looking around in it, needs nobody's yes. */
export function isHarmless(act: TerminalAct): boolean {
  if (act.type === 'text') return false
  return act.type !== 'keys' || act.names.every((name) => harmless.has(name))
}

/** The act as a person and the model read it. */
export function describeAct(act: TerminalAct): string {
  switch (act.type) {
    case 'text':
      return act.text
    case 'keys':
      return act.names.join(' ')
    case 'interrupt':
      return 'Ctrl+C'
    case 'read':
      return `look at the last ${act.lines} lines`
    case 'resize':
      return `resize to ${act.cols} × ${act.rows}`
    default:
      return assertNever(act)
  }
}
