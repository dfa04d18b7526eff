import { parentPort } from 'node:worker_threads'
import { yieldToOthers } from './priority.ts'
import { createScreenServer } from './serve-screens.ts'

// The entry of the worker thread; its own bundle.
const port = parentPort
if (port === null) throw new Error('emulator.js runs as a worker of the server, not by itself')
yieldToOthers()
const serve = createScreenServer((message) => port.postMessage(message))
port.on('message', serve)
