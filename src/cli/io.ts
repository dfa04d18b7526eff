import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { type Readable, Writable } from 'node:stream'
import { dataFolder } from '../server/process/data-folder.ts'
import { CliError } from './exit-code.ts'
import { createInterface } from 'node:readline/promises'

/** Everything of the process that a command touches, so that none reaches for it by itself. */
export interface Io {
  out: (text: string | Uint8Array) => void
  /** Diagnostics: a line of its own. */
  note: (line: string) => void
  stdin: Readable
  isTerminal: { stdin: boolean; stdout: boolean; stderr: boolean }
  cwd: string
  /** The data folder. */
  home: string
  /** The bundled server to start, beside the cli. */
  serverEntry: string
  now: () => number
  /** Calls it for Ctrl+C and for a polite kill; the returned function stops that. */
  onStop: (handler: () => void) => () => void
}

export function processIo(serverEntry: string): Io {
  return {
    out: (text) => void process.stdout.write(text),
    note: (line) => void process.stderr.write(`${line}\n`),
    stdin: process.stdin,
    isTerminal: {
      stdin: process.stdin.isTTY,
      stdout: process.stdout.isTTY,
      stderr: process.stderr.isTTY,
    },
    cwd: currentFolder(),
    home: resolve(dataFolder(process.env)),
    serverEntry,
    now: Date.now,
    onStop(handler) {
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
      for (const signal of signals) process.on(signal, handler)
      return () => {
        for (const signal of signals) process.off(signal, handler)
      }
    },
  }
}

/** The name that sessions are found by: one folder has one, whatever link led here. */
function currentFolder(): string {
  try {
    return realpathSync(process.cwd())
  } catch (cause) {
    throw new CliError('the folder you are in is gone. Change to another.', undefined, { cause })
  }
}

/** A person is there to be asked. */
export function isInteractive({ isTerminal }: Io): boolean {
  return isTerminal.stdin && isTerminal.stderr
}

/** Asks for what nobody may see; null when they end the input instead. The terminal shows no key meanwhile. */
export async function secretQuestion(text: string): Promise<string | null> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true })
  prompt.once('SIGINT', () => prompt.close())
  const ended = new Promise<null>((resolve) => prompt.once('close', () => resolve(null)))
  // Not before the terminal has stopped to show keys: some answer at once.
  process.stderr.write(text)
  try {
    return await Promise.race([prompt.question('').catch(() => null), ended])
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}

/** Asks the person at the terminal, with a text to begin with; null when they end the input instead. */
export async function question(
  text: string,
  signal?: AbortSignal,
  initial = '',
): Promise<string | null> {
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
    if (initial !== '') prompt.write(initial)
    return await Promise.race([asked.catch(() => null), ended])
  } finally {
    prompt.close()
  }
}
