import { createInterface } from 'node:readline/promises'
import process from 'node:process'

/** Asks the person at the terminal; null when they end the input instead. */
export async function question(text: string, signal?: AbortSignal): Promise<string | null> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  // The prompt reads keys one by one, so Ctrl+C reaches it as a key and not us as a signal.
  prompt.once('SIGINT', () => {
    process.emit('SIGINT', 'SIGINT')
    prompt.close()
  })
  // Without this, ending the input would leave the question open for ever.
  const ended = new Promise<null>((resolve) => prompt.once('close', () => resolve(null)))
  try {
    const asked = signal ? prompt.question(text, { signal }) : prompt.question(text)
    return await Promise.race([asked.catch(() => null), ended])
  } finally {
    prompt.close()
  }
}
