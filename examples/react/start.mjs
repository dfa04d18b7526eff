// Serves the example, and passes what it asks of Tandem on to the server of this user, which is
// started if none runs. A Tandem server answers its own pages only, so this one speaks as one of them;
// the page has to show the token all the same.
import { execFileSync } from 'node:child_process'
import { createServer } from 'vite'

const here = (path) => new URL(path, import.meta.url).pathname

// As `tandem web` prints it: good once, for one browser.
const cli = here('../../dist/cli.js')
const start = new URL(execFileSync(process.execPath, [cli, 'web'], { encoding: 'utf8' }).trim())

const tandem = {
  target: start.origin,
  changeOrigin: true,
  headers: { origin: start.origin },
  ws: true,
  rewriteWsOrigin: true,
}
const server = await createServer({
  configFile: false,
  root: here('.'),
  logLevel: 'warn',
  // With `npm install tandem` this line is not needed.
  resolve: { alias: { 'tandem/react': here('../../dist/react.js') } },
  server: { host: '127.0.0.1', hmr: false, proxy: { '/v1': tandem } },
})
await server.listen()
console.log(`Open this once: ${new URL(start.hash, server.resolvedUrls.local[0]).href}`)
