import { refusalOf } from '../client/wire/client-error.ts'
import { StartError } from '../server/process/data-folder.ts'

/**
 * `code` is that of a refusal, or `start`: there is no server to talk to; `closed`: the agent was closed;
 * `lost`: the server went away.
 */
export class AgentError extends Error {
  override readonly name: string = 'AgentError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Whatever went wrong, as the one error that users of the agent have to know. */
export function plainError(error: unknown): AgentError {
  if (error instanceof AgentError) return error
  const refusal = refusalOf(error)
  if (refusal) return new AgentError(refusal.code, refusal.message, { cause: error })
  const message = error instanceof Error ? error.message : String(error)
  return new AgentError(error instanceof StartError ? 'start' : 'lost', message, { cause: error })
}
