import type { Server } from 'node:http'
import { ok, refused, type Result } from '../../protocol/result.ts'

/** Why there is no server; `message` is for a person and says what to do. */
export interface ListenFailure {
  code: 'port_in_use' | 'port_forbidden' | 'listen_failed'
  port: number
  message: string
}

/** Loopback, always: another address would need transport security and more than one user. */
export function bind(server: Server, port: number): Promise<Result<number, ListenFailure>> {
  return new Promise((resolve) => {
    const failed = (error: Error) => {
      server.off('listening', listening)
      resolve(refused(failure(error, port)))
    }
    const listening = () => {
      server.off('error', failed)
      const address = server.address()
      resolve(ok(typeof address === 'object' && address !== null ? address.port : port))
    }
    server.once('error', failed).once('listening', listening)
    server.listen({ host: '127.0.0.1', port, exclusive: true })
  })
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
