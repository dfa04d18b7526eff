import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import type { TestSession } from '../support/session.ts'
import { byteLog } from './support/byte-log.ts'
import { openViewer } from './support/viewer.ts'

let server: TestServer
let session: TestSession

beforeAll(async () => {
  server = await startServer()
})

beforeEach(async () => {
  session = await server.session()
})

afterAll(() => server.close())

/** Reading a run's output makes the holder write its log. */
async function flushed(id: string): Promise<Buffer> {
  await session.run('true')
  return byteLog(server, id)
}

test('[LANE1] looking at a terminal starts its shell, and the prompt is shown', async () => {
  const viewer = await openViewer(server, session.id)
  expect(await session.until('shell_start')).toMatchObject({ generation: 1, shell: 'bash' })
  await viewer.untilSeen(/[$#] /)
  await session.untilDelta((delta) => delta.type === 'terminal' && delta.phase === 'prompt')
  expect(session.all('shell_start').length).toBe(1)
  await viewer.close()
})

test('[LANE2] the bytes a viewer gets are those of the byte log, each once', async () => {
  const viewer = await openViewer(server, session.id)
  await viewer.untilSeen(/[$#] /)
  await session.run('seq 1 60000; printf "\\e[31mred\\e[0m\\n"; echo all-of-it')
  await viewer.untilSeen(/all-of-it\r\n/)
  const log = await flushed(session.id)
  await viewer.until(() => viewer.end() >= log.length)
  const first = viewer.screens[0]!
  expect(viewer.gaps).toEqual([])
  expect(viewer.screens.length).toBe(1)
  const bytes = Buffer.concat(viewer.pieces.map((piece) => piece.bytes))
  expect(bytes.subarray(0, log.length - first.offset).equals(log.subarray(first.offset))).toBe(true)
  await viewer.close()
})

test('[LANE2] a viewer that comes back goes on where it stopped, without gap or repeat', async () => {
  const one = await openViewer(server, session.id)
  await session.run('seq 1 1000; echo first-part')
  await one.untilSeen(/first-part\r\n/)
  await one.close()
  await session.run('seq 1001 20000; echo second-part')
  const two = await openViewer(server, session.id, { from: one.end() })
  await two.untilSeen(/second-part\r\n/)
  await session.run('echo third-part')
  await two.untilSeen(/third-part\r\n/)
  const log = await flushed(session.id)
  expect([two.gaps, two.screens, two.pieces[0]!.offset]).toEqual([[], [], one.end()])
  await two.until(() => two.end() >= log.length)
  const bytes = Buffer.concat(two.pieces.map((piece) => piece.bytes))
  expect(bytes.subarray(0, log.length - one.end()).equals(log.subarray(one.end()))).toBe(true)
  await two.close()
})

test('[LANE2] from a place that is far away or not there yet a viewer gets a snapshot', async () => {
  await session.run('seq 1 300000; echo far')
  for (const from of [0, 1e12]) {
    const viewer = await openViewer(server, session.id, { from })
    const screen = await viewer.untilFrame('screen')
    expect(screen.data.startsWith('\x1bc')).toBe(true)
    expect(screen.offset).toBeGreaterThan(1024 * 1024)
    await viewer.untilSeen('far')
    await viewer.close()
  }
})

test('[EMU1] who joins late sees what those see who were there', async () => {
  const early = await openViewer(server, session.id, { rows: 30, cols: 90 })
  await early.untilSeen(/[$#] /)
  const program = [
    'printf "\\e[?1049h\\e[2J\\e[5;20r\\e[7;9H\\e[1;33mbold\\e[0m"',
    'for i in $(seq 40); do printf "\\e[20;1Hline $i\\n"; done',
    'printf "\\e[12;34Hhere"',
    'read -r _',
  ].join('; ')
  await session.send(`!${program}`)
  // Its echo in the command line has no escape character.
  await early.untilSeen('\x1b[12;34Hhere')
  const late = await openViewer(server, session.id, { rows: 30, cols: 90 })
  await late.untilFrame('screen')
  await late.until(() => late.end() >= early.end())
  expect(await late.drawn()).toEqual(await early.drawn())
  early.type('\n')
  await session.until('run_end')
  const last = await session.run('printf "\\e[?1049lback\\n"')
  expect(last.status).toBe('done')
  await Promise.all([early.untilSeen(/back\r\n/), late.untilSeen(/back\r\n/)])
  const end = Math.max(early.end(), late.end())
  await Promise.all([early, late].map((viewer) => viewer.until(() => viewer.end() >= end)))
  expect(late.gaps).toEqual([])
  await Promise.all([early.close(), late.close()])
})

test('[LANE2] a frozen viewer is skipped and shown the present later, while another misses nothing', async () => {
  const reader = await openViewer(server, session.id)
  const frozen = await openViewer(server, session.id, { frozen: true })
  await frozen.untilFrame('screen')
  await reader.untilSeen(/[$#] /)
  // Typed, not run: nothing but the terminal's own bytes is on the way.
  reader.type("seq 1 1500000; echo flood-ov''er\r")
  await reader.untilSeen(/flood-over\r\n/)
  const log = await flushed(session.id)
  await reader.until(() => reader.end() >= log.length)
  const skippedAt = frozen.end()
  expect(reader.end() - skippedAt).toBeGreaterThan(8 * 1024 * 1024)
  // A third one's snapshot says that the emulator has drawn it all.
  const third = await openViewer(server, session.id)
  await third.untilFrame('screen')
  const shown = frozen.screens.length
  frozen.thaw()
  await frozen.until(() => frozen.screens.length > shown)
  await frozen.until(() => frozen.end() >= reader.end())
  expect(await frozen.drawn()).toEqual(await reader.drawn())
  expect(reader.gaps).toEqual([])
  await Promise.all([reader.close(), frozen.close(), third.close()])
})

test('[LANE2] a viewer whose socket is not read holds up neither the shell nor the server', async () => {
  const stuck = await openViewer(server, session.id)
  await stuck.untilFrame('screen')
  stuck.socket.pause()
  const run = await session.run('seq 1 400000; echo flood-over')
  expect(run.status).toBe('done')
  stuck.socket.resume()
  await stuck.untilSeen(/flood-over\r\n/)
  await stuck.close()
})
