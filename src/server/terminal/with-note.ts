import type { Captured } from './terminal.ts'

/** A sentence of ours at the end of an output, on a line of its own. */
export function withNote(captured: Captured, note: string): Captured {
  const inTail = captured.tail !== ''
  const text = inTail ? captured.tail : captured.head
  const noted = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${note}\n`
  return inTail ? { ...captured, tail: noted } : { ...captured, head: noted }
}
