import { readFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { openViewer } from './support/viewer.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** A thousand rows to scroll back to, then a screen set up once and drawn into for 5 MB. */
const draws = String.raw`seq -f 'row %06g of those that scroll away, and a few words more to fill it' 1100; printf '\e]0;kept\a\e[3;9r\e[1;1H\e[7mabove the region\e[m\e[4;1H\e[4m'; awk 'BEGIN { for (n = 0; n < 300000; n++) printf "\033[5;7Hdrawn %06d", n }'; printf '\e[8;3Hset''tled'; read -r _ < gate`

/** Bytes a process has read, from wherever. */
function readBy(pid: number): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1])
}

test('[EMU1] after a server was killed a new one shows the same screen, though the log’s beginning is gone', async () => {
  let session = await server.session()
  const viewer = await openViewer(server, session.id)
  await viewer.untilSeen(/[$#] /)
  await session.run('mkfifo gate')
  await session.send(`!${draws}`)
  await viewer.untilSeen('settled')
  const [holder = 0] = await server.holdersOf((await session.view()).shell!.pid)
  // A new size is put aside too. It is as long as what a viewer gets, and nothing else is on its way.
  const atRest = readBy(holder)
  viewer.viewport(30, 80)
  const before = await openViewer(server, session.id, { rows: 30 })
  const shown = await before.untilFrame('screen')
  while (readBy(holder) - atRest < shown.data.length)
    await new Promise((resolve) => setImmediate(resolve))
  await server.kill()

  const folder = join(server.home, 'teams', 'default', 'sessions', session.id, 'pty')
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log')).sort()
  expect(logs.length).toBeGreaterThan(4)
  for (const name of logs.slice(0, -1)) await rm(join(folder, name))

  await server.restart()
  session = server.reopen(session)
  const after = await openViewer(server, session.id, { rows: 30 })
  expect(await after.untilFrame('screen')).toEqual(shown)
  expect(await after.drawn()).toEqual(await before.drawn())
  await writeFile(join(server.workspace, 'gate'), 'on\n')
  await session.until('run_end', 2)
  await after.close()
})

/** Asks where the cursor is until it is stopped, and counts answers that did not come or were too many. */
const asks = String.raw`stty -echo -icanon; lost=0 n=0; until [ -e stop ]; do printf '\e[6n'; IFS= read -r -d R -t 10 _ || ((lost++)); ((++n % 100)) || echo "asked $n"; done; IFS= read -r -n1 -t 0.5 more; stty sane; echo "lost $lost, more '$more'"`

test('[LANE16] every query is answered exactly once while servers are killed and viewers come and go', async () => {
  let session = await server.session()
  const viewer = await openViewer(server, session.id)
  await viewer.untilSeen(/[$#] /)
  await session.send(`!${asks}`)
  await viewer.untilSeen(/asked \d+00\r/)
  for (let kills = 0; kills < 3; kills += 1) {
    await server.restart()
    session = server.reopen(session)
    const joined = await openViewer(server, session.id)
    await joined.untilSeen(/asked \d+00\r/)
    if (kills === 1) await joined.close()
  }
  await writeFile(join(server.workspace, 'stop'), '')
  const answer = await session.until('tool_response')
  expect(answer.content).toContain("lost 0, more ''")
})
