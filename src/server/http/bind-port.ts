import { once } from 'node:events'
import type { Server } from 'node:http'
import { ok, type Result, refused } from '../../base/result.ts'

/** Why there is no server; `message` is for a person and says what to do. */
export interface ListenFailure {
  code: 'port_in_use' | 'port_forbidden' | 'listen_failed'
  port: number
  message: string
}

/** Loopback, always: another address would need transport security and more than one user. */
export async function bindPort(
  server: Server,
  port: number,
): Promise<Result<number, ListenFailure>> {
  try {
    await once(server.listen({ host: '127.0.0.1', port, exclusive: true }), 'listening')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return refused(failure(error, port))
  }
  const address = server.address()
  return ok(typeof address === 'object' && address !== null ? address.port : port)
}

function failure(error: Error, port: number): ListenFailure {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    const message = `port ${port} is taken by another program. Choose another, or 0 for any.`
    return { code: 'port_in_use', port, message }
  }
  if (code === 'EACCES') {
    const message = `port ${port} needs more rights. Choose one above 1023, or 0 for any.`
    return { code: 'port_forbidden', port, message }
  }
  return {
    code: 'listen_failed',
    port,
    message: `cannot listen on 127.0.0.1:${port}: ${error.message}`,
  }
}
