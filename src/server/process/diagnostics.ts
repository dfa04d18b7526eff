import { renameSync, statSync } from 'node:fs'
import { appendRegular } from '../files/read-regular.ts'

/** Structured notes for the people who mend Tandem, one JSON line each; never stdout, never content. */
export interface Diagnostics {
  note(message: string, detail?: Readonly<Record<string, unknown>>): void
  diagnose(message: string, error: unknown): void
}

/** One old file is kept beside the current one; more than that nobody reads. */
const maxBytes = 5 * 1024 * 1024

export function createDiagnostics(file: string, clock: () => number): Diagnostics {
  let bytes = sizeOf(file)

  function write(entry: Readonly<Record<string, unknown>>): void {
    const line = `${JSON.stringify({ at: new Date(clock()).toISOString(), ...entry })}\n`
    try {
      if (bytes > maxBytes) {
        // A file that cannot be put aside is tried again only when as much has come anew.
        bytes = 0
        renameSync(file, `${file}.1`)
      }
      appendRegular(file, line)
      bytes += line.length
    } catch {
      // A full disk must not end the server because it cannot say that the disk is full.
    }
  }

  return {
    note: (message, detail = {}) => write({ message, ...detail }),
    diagnose(message, error) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
      write({ message, error: detail })
    },
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

/**
 * The last net: every chain of promises has an owner that tells what went wrong; one that was forgotten must not end
 * the shells' server with all that is under way.
 */
export function catchRejections(diagnose: (message: string, error: unknown) => void): () => void {
  const onRejection = (error: unknown) => diagnose('a rejection that nobody handles', error)
  process.on('unhandledRejection', onRejection)
  return () => process.off('unhandledRejection', onRejection)
}
