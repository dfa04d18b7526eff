import { routes } from '../../../src/protocol/http/routes.ts'
import type { RunOutput } from '../../../src/protocol/http/session-view.ts'
import type { TestServer } from '../../support/server.ts'

/** Every page of what a run printed, as a client reads them. */
export async function* outputPages(
  server: TestServer,
  { session, run }: { session: string; run: string },
): AsyncGenerator<RunOutput, void> {
  for (let from = 0; ;) {
    const page = await server.client.call(routes.runOutput, {
      params: { id: session, run },
      query: { from },
    })
    if (page.from === page.to) return
    yield page
    from = page.to
  }
}

export async function wholeOutput(
  server: TestServer,
  of: { session: string; run: string },
): Promise<string> {
  let text = ''
  for await (const page of outputPages(server, of)) text += page.text
  return text
}
