import { createInterface } from 'node:readline'
import { Asked, perform } from './operations.ts'

/**
 * Looks at files for the server, in a process that can be killed: a file system that hangs keeps a thread of this
 * one, not of the server. A question is a number and what is asked, a line each; so is its answer.
 */
async function answer(line: string): Promise<void> {
  const space = line.indexOf(' ')
  const found = await perform(Asked.parse(JSON.parse(line.slice(space + 1)))).then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error: String(error) }),
  )
  process.stdout.write(`${line.slice(0, space)} ${JSON.stringify(found)}\n`)
}

process.stdout.on('error', leave)
createInterface({ input: process.stdin })
  .on('line', (line) => void answer(line))
  .on('close', leave)

/** An exit would wait for threads that a file system keeps. */
function leave(): void {
  process.kill(process.pid, 'SIGKILL')
}
