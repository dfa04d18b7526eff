/** Which exit code the command line gives it. */
export type StartFailure = 'config' | 'port' | 'folder' | 'running'

/** The server cannot start. The message says why and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly failure: StartFailure

  constructor(failure: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}
