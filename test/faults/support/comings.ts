import { openViewer, type TestViewer } from '../../live-view/support/viewer.ts'
import type { TestServer } from '../../support/server.ts'

/** A person's terminal that outlives servers: after each kill it comes back to where it stopped. */
export interface ComingViewer {
  viewer(): TestViewer
  /** Over the present server, from the last byte it has. */
  comeBack(): Promise<void>
  end(): number
  /** The stream between two offsets, as it was received over all connections. */
  bytes(from: number, to: number): Buffer
  /** Where bytes did not follow those before them, or a screen took their place. */
  gaps(): readonly number[]
  close(): Promise<void>
}

export async function openComingViewer(server: TestServer, session: string): Promise<ComingViewer> {
  const viewers = [await openViewer(server, session, { from: 0 })]
  const viewer = () => viewers.at(-1)!
  return {
    viewer,
    async comeBack() {
      viewers.push(await openViewer(server, session, { from: viewer().end() }))
    },
    end: () => viewer().end(),
    bytes(from, to) {
      // Gaps are told apart, so what was received is one stretch from offset 0.
      const all = Buffer.concat(viewers.flatMap(({ pieces }) => pieces.map(({ bytes }) => bytes)))
      return all.subarray(from, to)
    },
    gaps: () =>
      viewers.flatMap(({ gaps, screens }) => [...gaps, ...screens.map(({ offset }) => offset)]),
    close: () => viewer().close(),
  }
}
