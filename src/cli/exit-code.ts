/** The codes the process ends with; `run` passes on the command's own. Documented in `--help`. */
export const exitCode = {
  ok: 0,
  error: 1,
  usage: 2,
  /** A question is open, or a person said no. */
  approval: 3,
  /** The step limit, or a full context. */
  limit: 4,
  /** A key or a setting of the model. */
  config: 5,
  timeout: 124,
  interrupted: 130,
} as const

/** A failure and what to do about it, in a sentence for the person at the keyboard. */
export class CliError extends Error {
  override name = 'CliError'
  readonly exitCode: number

  constructor(message: string, code: number = exitCode.error, options?: { cause: unknown }) {
    super(message, options)
    this.exitCode = code
  }
}
