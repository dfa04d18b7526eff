import { readFile, readdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createHash } from 'node:crypto'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built page lies beside the bundle; from the sources there is none, and `/` explains itself. */
const webFolder = fileURLToPath(new URL('./web/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

/** What the build made beside a file, best first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

export interface WebFiles {
  /** The page for a browser's visit; null when there is none, or when no browser asks. */
  page(incoming: IncomingMessage): Promise<Response | null>
  /** A file of the page by its path; null when there is no such file. */
  file(path: string, incoming: IncomingMessage): Promise<Response | null>
}

/** Serves what the folder lists, by name: no path outside of it can be spelled. */
export function createWebFiles(folder = webFolder): WebFiles {
  async function respond(name: string, incoming: IncomingMessage): Promise<Response | null> {
    const known = await namesIn(folder)
    const type = types[extname(name)]
    if (type === undefined || !known.has(name)) return null
    const accepted = headerOf(incoming, 'accept-encoding')
    const encoding = encodings.find(
      (each) => accepts(accepted, each.name) && known.has(name + each.suffix),
    )
    const bytes = await readFile(join(folder, name + (encoding?.suffix ?? '')))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const headers: Record<string, string> = {
      'content-type': type,
      vary: 'accept-encoding, accept',
      etag,
      // A hashed name never means anything else; everything else is asked about each time.
      'cache-control': name.startsWith('assets/')
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    }
    if (incoming.headers['if-none-match'] === etag)
      return new Response(null, { status: 304, headers })
    if (encoding) headers['content-encoding'] = encoding.name
    return new Response(new Uint8Array(bytes), { headers })
  }

  return {
    async page(incoming) {
      const wanted = headerOf(incoming, 'accept')
      return wanted.includes('text/html') ? respond('index.html', incoming) : null
    },
    file: (path, incoming) => respond(path.replace(/^\//, ''), incoming),
  }
}

function headerOf({ headersDistinct }: IncomingMessage, name: string): string {
  return (headersDistinct[name] ?? []).join(', ')
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((each) => {
    const [name, quality] = each.trim().split(/\s*;\s*q=/)
    return name === encoding && Number(quality ?? 1) > 0
  })
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return new Set(
    files.map((entry) =>
      join(entry.parentPath, entry.name).slice(folder.length).replaceAll(sep, '/'),
    ),
  )
}
