import type { Refusal } from '../../protocol/http/refusal.ts'

/**
 * `refused`: the server said no, and `refusal` says why. `unreachable`: no answer came, and what was
 * asked may have happened or not. `garbled`: the answer was not one of ours. `stranger`: the program there could not
 * prove that it is our server, and was told nothing.
 */
export type ClientFault =
  | { kind: 'refused'; status: number; refusal: Refusal }
  | { kind: 'unreachable' }
  | { kind: 'garbled'; status: number }
  | { kind: 'stranger' }

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

/** The server speaks otherwise than this client: asking again would bring the same. */
export const outdated = () =>
  new ClientError('The server is of another version now. Reload the page.', {
    kind: 'garbled',
    status: 200,
  })

export function isUnreachable(error: unknown): boolean {
  return error instanceof ClientError && error.fault.kind === 'unreachable'
}

/** The program at the server's address is not the server. */
export function isStranger(error: unknown): boolean {
  return error instanceof ClientError && error.fault.kind === 'stranger'
}

/** Only signing in anew helps, or another server at this address. */
export function isLockedOut(error: unknown): boolean {
  return isStranger(error) || refusalOf(error)?.code === 'unauthorized'
}

/** The server's typed no, if that is what this is. */
export function refusalOf(error: unknown): Refusal | null {
  return error instanceof ClientError && error.fault.kind === 'refused' ? error.fault.refusal : null
}

/** The line in the terminal that looked like a question for a password, if the text was refused for it. */
export function suspectedIn(error: unknown): string | null {
  const refusal = refusalOf(error)
  if (refusal?.code !== 'secret_suspected') return null
  const { question } = refusal.detail ?? {}
  return typeof question === 'string' ? question : ''
}
