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
