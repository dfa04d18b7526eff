import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createPlain, type IncomingMessage, request } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'

/** A certificate for a host, made for this test. */
export function certificateFor(host: string, folder: string): { key: string; cert: string } {
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const named = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2']
  execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

/** A proxy’s treatment of a CONNECT: it opens the tunnel, says a status, or says nothing, closes, or speaks no HTTP. */
export type Manner = 'open' | number | 'hang' | 'close' | 'garbage'

/** A real proxy on loopback: every name leads to one server, as in its own resolver. */
export async function startConnectProxy(target: number, options: { secure?: object } = {}) {
  const asked: { line: string; authorization: string | undefined }[] = []
  const sockets = new Set<Socket>()
  let manner: Manner = 'open'
  const server = options.secure ? createSecure(options.secure) : createPlain()

  function note({ method, url, headers }: IncomingMessage): void {
    asked.push({ line: `${method} ${url}`, authorization: headers['proxy-authorization'] })
  }

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.on('connect', (asking: IncomingMessage, socket: Socket) => {
    note(asking)
    if (manner === 'hang') return
    if (manner === 'close') return void socket.destroy()
    if (manner === 'garbage') return void socket.end('SSH-2.0-OpenSSH_9.9\r\n')
    if (manner !== 'open') return void socket.end(`HTTP/1.1 ${manner} No\r\n\r\n`)
    const onward = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  })
  // A plain request comes with its whole address.
  server.on('request', (asking, response) => {
    note(asking)
    const { pathname } = new URL(asking.url ?? '')
    const { headers, method } = asking
    const onward = request(
      { port: target, host: '127.0.0.1', path: pathname, method, headers },
      (got) => {
        response.writeHead(got.statusCode ?? 500, got.headers)
        got.pipe(response)
      },
    )
    asking.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    asked,
    behave(next: Manner): void {
      manner = next
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
