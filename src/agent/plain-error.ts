import { refusalOf } from '../client/client-error.ts'
import { StartError } from '../server/start-error.ts'
import { AgentError } from './agent-error.ts'

/** Whatever went wrong, as the one error that users of the agent have to know. */
export function plainError(error: unknown): AgentError {
  if (error instanceof AgentError) return error
  const refusal = refusalOf(error)
  if (refusal) return new AgentError(refusal.code, refusal.message, { cause: error })
  const message = error instanceof Error ? error.message : String(error)
  return new AgentError(error instanceof StartError ? 'start' : 'lost', message, { cause: error })
}
