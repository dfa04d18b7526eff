import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** On a busy machine about a tenth of what the shell and the server's main thread get. */
const niceness = 10

/**
 * Drawing a screen costs more than all else that is done with output. In a flood it must not take the
 * processor from the command that prints it; a screen that is late is drawn later.
 */
export function yieldToOthers(): void {
  try {
    // Linux has priorities by thread, and tells this thread's number here; elsewhere all stays as it is.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (Number.isInteger(thread) && thread !== process.pid) setPriority(thread, niceness)
  } catch {
    // It only costs speed.
  }
}
