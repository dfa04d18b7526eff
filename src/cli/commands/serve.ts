import { serve, type ServeOptions } from '../../server/main.ts'
import { exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { quote } from '../run/quote.ts'

export type ServeFlags = Omit<ServeOptions, 'home' | 'idleMs' | 'ownsProcess'> & {
  json?: boolean | undefined
}

/** `tandem serve`: the server in this process, until Ctrl+C or `tandem stop`. */
export async function serveCommand(io: Io, { json, ...options }: ServeFlags): Promise<number> {
  // A person who started it by hand is the one who ends it.
  const server = await serve({ ...options, home: io.home, idleMs: 0, ownsProcess: true })
  // Before anything is printed: whoever reads it may stop us at once.
  const release = io.onStop(() => void server.close())
  const { url, token, pid } = server
  io.out(json ? `${JSON.stringify({ url, token, pid })}\n` : welcome(server, io.cwd))
  await server.closed
  release()
  return exitCode.ok
}

/** The token is read from its file, so that neither this nor a shell's history holds it. */
type RunningServer = Awaited<ReturnType<typeof serve>>

export function welcome(server: RunningServer, cwd: string): string {
  const { url, startUrl, attached } = server
  const curl = `curl -sS -H "Authorization: Bearer $(cat ${quote(server.tokenFile)})" -H 'Content-Type: application/json'`
  const workspace = quote(JSON.stringify({ workspace: cwd }))
  return `${attached ? 'Tandem is running already.' : 'Tandem is running.'} Open this once; \`tandem web\` prints a new one:

  ${startUrl}

Or without a browser, make a session in this folder and run a command in it:

  session=$(${curl} ${url}/v1/sessions -d ${workspace} | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)
  ${curl} ${url}/v1/sessions/$session/send -d '{"text":"!git status"}'

${attached ? 'Stop it with: tandem stop' : 'Stop it with Ctrl+C, or from anywhere with: tandem stop'}
`
}
