import { serve } from '../main.ts'
import { StartError } from './data-folder.ts'

/**
 * The server as its own process, started by the first client. It says where it is in one line on
 * stdout, which the client reads and closes; from then on it belongs to nobody.
 */
async function main(): Promise<void> {
  process.stdout.on('error', () => undefined)
  // The terminal it was started from may go; the server stays.
  process.on('SIGHUP', () => undefined)
  try {
    const { url, token, pid, closed, close } = await serve({ ownsProcess: true })
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close())
    process.stdout.write(`${JSON.stringify({ url, token, pid })}\n`)
    await closed
    process.exit(0)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const failure = error instanceof StartError ? error.failure : null
    process.stdout.write(`${JSON.stringify({ error: message, failure })}\n`)
    process.exit(1)
  }
}

void main()
