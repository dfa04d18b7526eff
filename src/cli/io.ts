import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { dataFolder } from '../server/data-folder.ts'
import { CliError } from './exit-code.ts'

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
