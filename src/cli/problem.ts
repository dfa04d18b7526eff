import { refusalOf } from '../client/wire/client-error.ts'
import { StartError } from '../server/process/data-folder.ts'
import { printableLine } from '../view/text/hidden-characters.ts'
import { CliError, exitCode } from './exit-code.ts'

/** Anything thrown, as a sentence and an exit code; never a stack trace. */
export function problemOf(error: unknown): { message: string; code: number } {
  if (error instanceof CliError) return { message: error.message, code: error.exitCode }
  if (error instanceof StartError)
    return {
      message: error.message,
      code: error.failure === 'config' ? exitCode.config : exitCode.error,
    }
  const refusal = refusalOf(error)
  // A person is needed, and it quotes what a program printed.
  if (refusal?.code === 'secret_suspected')
    return { message: printableLine(`${refusal.message} (--not-secret)`), code: exitCode.approval }
  const message = error instanceof Error ? error.message : String(error)
  return { message: refusal?.message ?? message, code: exitCode.error }
}

/** A longer sentence quotes what somebody typed or sent; its beginning says what is wrong, its end what to do. */
const mostChars = 600
const endChars = 150

/** Tells what went wrong in one line that a terminal can be trusted with: it may quote anybody's words. */
export function complain(sentence: string): void {
  process.stderr.write(`${complaint(sentence)}\n`)
}

export function complaint(sentence: string): string {
  return `tandem: ${shortened(printableLine(sentence.replaceAll(/\s+/g, ' ')))}`
}

function shortened(line: string): string {
  if (line.length <= mostChars) return line
  return `${line.slice(0, mostChars - endChars)} … ${line.slice(-endChars)}`
}
