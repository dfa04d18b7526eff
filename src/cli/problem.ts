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
