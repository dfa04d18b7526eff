import { refusalOf } from '../client/client-error.ts'
import { CliError, exitCode } from './exit-code.ts'

/** Whatever was thrown, as a sentence and an exit code; never a stack trace. */
export function problemOf(error: unknown): { message: string; code: number } {
  if (error instanceof CliError) return { message: error.message, code: error.exitCode }
  const refusal = refusalOf(error)
  const message = error instanceof Error ? error.message : String(error)
  return { message: refusal?.message ?? message, code: exitCode.error }
}
