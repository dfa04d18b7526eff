import { createInterface } from 'node:readline'
import { perform } from './operations.ts'
import type { Asked } from './ops.ts'

/**
 * Looks at files for the server, in a process that can be killed: a file system that hangs keeps a thread of this
 * one, not of the server. A question is a number and what is asked, a line each; so is its answer.
 */
async function answer(line: string): Promise<void> {
  const space = line.indexOf(' ')
  // The server of the same build wrote it.
  const asked: Asked = JSON.parse(line.slice(space + 1))
  const found = await perform(asked).then(
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
