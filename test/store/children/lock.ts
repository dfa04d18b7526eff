import { writeSync } from 'node:fs'
import { acquireLock } from '../../../src/server/store/lock.ts'

/** Says whether it got the folder's lock, and holds it until it is killed. */
const lock = acquireLock(process.argv[2] ?? '')
writeSync(1, lock.ok ? 'held\n' : `${lock.error.code}\n`)
if (lock.ok) setInterval(() => undefined, 60_000)
