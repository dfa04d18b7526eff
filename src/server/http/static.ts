import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context } from 'hono'
import { etag } from 'hono/etag'
import type { Env } from './route.ts'

/** The built page lies beside the bundle; from the sources there is none, and `/` explains itself. */
const webFolder = fileURLToPath(new URL('./web/', import.meta.url))

/** Serves the built page, in the encoding that the browser takes and the build made. */
export function createWebFiles() {
  const nothing = async () => null
  if (!existsSync(webFolder)) return { page: nothing, file: nothing }
  const file = serveStatic<Env>({ root: webFolder, precompressed: true })
  const page = serveStatic<Env>({ root: webFolder, precompressed: true, path: 'index.html' })
  const withTag = etag()

  async function respond(c: Context<Env>, serve: typeof file): Promise<Response | null> {
    const found = await serve(c, async () => undefined)
    if (!found) return null
    // A hashed name never means anything else; everything else is asked about each time.
    const isHashed = c.req.path.startsWith('/assets/')
    const caching = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
    found.headers.set('cache-control', caching)
    found.headers.set('vary', 'accept-encoding, accept')
    await withTag(c, async () => {
      c.res = found
    })
    return c.res
  }

  return {
    /** The page for a browser's visit; null when there is none, or when no browser asks. */
    page: async (c: Context<Env>) =>
      c.req.header('accept')?.includes('text/html') ? respond(c, page) : null,
    /** A file of the page by its path; null when there is no such file. */
    file: (c: Context<Env>) => respond(c, file),
  }
}

/** Tells a person who opens the address what answers here and how to talk to it. */
export function welcome({ version, port }: { version: string; port: () => number }): string {
  const base = `http://127.0.0.1:${port()}`
  return `Tandem ${version}: one shell, two drivers.

This is the server of a terminal co-pilot, for this computer only. Its routes are described in
${base}/openapi.json and need the token of the data folder:

  token=$(cat "\${TANDEM_HOME:-\${XDG_DATA_HOME:-$HOME/.local/share}/tandem}/token")
  curl -H "Authorization: Bearer $token" ${base}/v1/sessions
  curl -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \\
    -d '{"workspace":"'"$PWD"'"}' ${base}/v1/sessions
  curl -N -H "Authorization: Bearer $token" ${base}/v1/sessions/ID/events
`
}
