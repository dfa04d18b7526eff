// Serves the example, and passes what it asks of Tandem on to the server of this user, which is
// started if none runs. A Tandem server answers its own pages only, so this one speaks as one of them,
// over the socket that only this user can open; the page shows a key of its own.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'

const here = (path) => new URL(path, import.meta.url).pathname

const { TANDEM_HOME, XDG_DATA_HOME } = process.env
const home = TANDEM_HOME ?? join(XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'tandem')
const cli = here('../../dist/cli.js')
const tandem = new URL(execFileSync(process.execPath, [cli, 'web'], { encoding: 'utf8' }).trim())
const key = randomBytes(32).toString('base64url')

const toTandem = {
  target: { socketPath: join(home, 'server.sock'), protocol: 'http:', host: tandem.hostname },
  headers: { host: tandem.host, origin: tandem.origin },
  ws: true,
  // A socket opens by a ticket, which only those with the key get.
  bypass: ({ headers }) =>
    headers.upgrade || headers.authorization === `Bearer ${key}` ? undefined : false,
  configure: (proxy) => proxy.on('proxyReq', (asked) => asked.removeHeader('authorization')),
}
const server = await createServer({
  configFile: false,
  root: here('.'),
  logLevel: 'warn',
  // With `npm install tandem` this line is not needed.
  resolve: { alias: { 'tandem/react': here('../../dist/react.js') } },
  server: { host: '127.0.0.1', hmr: false, proxy: { '/v1': toTandem } },
})
await server.listen()
console.log(`Open this: ${new URL(`#key=${key}`, server.resolvedUrls.local[0]).href}`)
