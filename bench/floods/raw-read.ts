import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** All there is to a terminal without us: the PTY library, and a reader that throws everything away. */
const reader = `
import nodePty from '@lydell/node-pty'
const start = performance.now()
let last = start
const options = { encoding: null, rows: 24, cols: 80 }
const pty = nodePty.spawn('bash', ['--norc', '--noprofile', '-c', process.argv[1]], options)
pty.onData(() => { last = performance.now() })
pty.onExit(() => console.log(last - start))
`

/** Milliseconds until a bare reader in a process of its own has read what a command prints. */
export async function rawRead(command: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', reader, command])
  return Number(stdout)
}
