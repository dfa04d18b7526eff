import type { TerminalUpdate } from '../../../src/protocol/stream/delta.ts'
import { openViewer, type TestViewer } from '../../live-view/support/viewer.ts'
import type { TestServer } from '../../support/server.ts'
import type { TestSession } from '../../support/session.ts'

/** Two people at one session's terminal, who come back after each kill of the server. */
export interface Typists {
  session(): TestSession
  /** Over the present server, from where they stopped. */
  comeBack(): Promise<void>
  type(who: 0 | 1, keys: string): void
  /** Resolves when the server has dealt with all that this one typed. */
  heard(who: 0 | 1): Promise<void>
  /** How many keystrokes were refused on this connection. */
  refusals(): number
  /** What the second of them has on the screen and above, over all connections. */
  seen(): string
  /** Resolves when the terminal's bytes or state make it true. */
  until(condition: () => boolean): Promise<void>
  state(): TerminalUpdate | undefined
  /** All that was received on this connection, by both and by the event stream. */
  received(): readonly (Buffer | string)[]
}

export async function openTypists(server: TestServer, first: TestSession): Promise<Typists> {
  let session = first
  let viewers: readonly [TestViewer, TestViewer]
  let before = ''
  await open([0, 0])

  async function open([one, two]: readonly [number, number]): Promise<void> {
    viewers = [
      await openViewer(server, session.id, { from: one }),
      await openViewer(server, session.id, { from: two }),
    ]
  }

  const state = () => session.deltas.findLast((delta) => delta.type === 'terminal')
  return {
    session: () => session,
    async comeBack() {
      before += viewers[1].seen()
      session.close()
      session = server.reopen(session)
      await open([viewers[0].end(), viewers[1].end()])
    },
    type: (who, keys) => viewers[who].type(keys),
    async heard(who) {
      const pongs = () => viewers[who].frames.filter(({ type }) => type === 'pong').length
      const wanted = pongs() + 1
      viewers[who].say({ type: 'ping' })
      await viewers[who].until(() => pongs() >= wanted)
    },
    refusals: () =>
      viewers.flatMap(({ frames }) => frames.filter(({ type }) => type === 'refused')).length,
    seen: () => before + viewers[1].seen(),
    async until(condition) {
      // Whichever of the three hears of it first.
      const waits = [...viewers.map(({ until }) => until), session.untilDelta]
      await Promise.race(waits.map((until) => until(condition)))
    },
    state,
    received: () => [
      ...viewers.map(({ pieces }) => Buffer.concat(pieces.map(({ bytes }) => bytes))),
      JSON.stringify(viewers.map(({ frames }) => frames)),
      JSON.stringify(session.frames),
    ],
  }
}
