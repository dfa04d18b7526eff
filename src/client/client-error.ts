import type { Refusal } from '../protocol/refusal.ts'

/**
 * `refused`: the server said no, and `refusal` says why. `unreachable`: no answer came, and what was
 * asked may have happened or not. `garbled`: the answer was not one of ours.
 */
export type ClientFault =
  | { kind: 'refused'; status: number; refusal: Refusal }
  | { kind: 'unreachable' }
  | { kind: 'garbled'; status: number }

export class ClientError extends Error {
  override name = 'ClientError'
  readonly fault: ClientFault

  constructor(message: string, fault: ClientFault, options?: { cause: unknown }) {
    super(message, options)
    this.fault = fault
  }
}

/** The server cannot read the session's log: asking again would bring the same. */
export function unreadable(): ClientError {
  const message = 'The session’s log cannot be read any further; the server’s diagnostics say why.'
  return new ClientError(message, {
    kind: 'refused',
    status: 500,
    refusal: { code: 'internal', message },
  })
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof ClientError && error.fault.kind === 'unreachable'
}

/** The server's typed no, if that is what this is. */
export function refusalOf(error: unknown): Refusal | null {
  return error instanceof ClientError && error.fault.kind === 'refused' ? error.fault.refusal : null
}
