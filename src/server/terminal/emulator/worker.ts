import { parentPort } from 'node:worker_threads'
import { createScreenServer } from './serve-screens.ts'

// The entry of the worker thread; its own bundle.
const port = parentPort
if (port === null) throw new Error('emulator.js runs as a worker of the server, not by itself')
const serve = createScreenServer((message) => port.postMessage(message))
port.on('message', serve)
