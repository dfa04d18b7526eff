import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { createScreenServer } from './screen-server.ts'

// The entry of the worker thread; its own bundle.

/** The thread gets about a tenth of what shell and main thread get on a busy machine. */
const niceness = 10

/**
 * Drawing a screen costs more than all else that is done with output. In a flood it must not take the
 * processor from the command that prints it; a screen that is late is drawn later.
 */
function yieldToOthers(): void {
  try {
    // Linux has priorities by thread, and tells this thread's number here; elsewhere all stays as it is.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (Number.isInteger(thread) && thread !== process.pid) setPriority(thread, niceness)
  } catch {
    // It only costs speed.
  }
}

const port = parentPort
if (port === null) throw new Error('emulator.js runs as a worker of the server, not by itself')
yieldToOthers()
const serve = createScreenServer((message) => port.postMessage(message))
port.on('message', serve)
