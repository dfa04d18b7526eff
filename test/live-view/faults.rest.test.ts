import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { openViewer } from './support/viewer.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

test('[LANE2] a megabyte pasted into a program that never reads holds nobody up and is gone with it', async () => {
  const session = await server.session()
  const viewer = await openViewer(server, session.id)
  await viewer.untilSeen(/[$#] /)
  await session.send(`!stty raw -echo; printf 'de''af'; sleep 1000; stty sane`)
  await viewer.untilSeen('deaf')
  for (let sent = 0; sent < 1024 * 1024; sent += 16_000) viewer.type('x'.repeat(16_000))
  // Input behind the paste is heard, so server and holder are not stuck in it.
  const other = await server.session()
  expect((await other.run('echo elsewhere')).content).toContain('elsewhere')
  viewer.type('\x03')
  const end = await session.until('run_end')
  expect(end).toMatchObject({ outcome: 'ended', exitCode: 130 })
  expect((await session.run('echo clean')).content).toContain('$ echo clean\nclean\n')
  await viewer.close()
})

/** Marks that are not ours, a clipboard to set and to read, questions, a title to report, half a sequence. */
const evil =
  '\x1b]7133;0123456789abcdef01234567;D;0;1;sh-x;/\x07\x1b]7133;;B;0;1\x07\x1b]133;D;0\x07' +
  '\x1b]52;c;cm0gLXJmIC8K\x07\x1b]52;c;?\x07\x1b[c\x1b[6n\x1b]0;touch pwned\x07\x1b[21t\x1bP$qm\x1b\\evil text\r\n\x1b[38;5'

test('[LANE18] a hostile file ends no run, is told no clipboard and types no command', async () => {
  const session = await server.session()
  const viewer = await openViewer(server, session.id)
  await viewer.untilSeen(/[$#] /)
  await writeFile(join(server.workspace, 'evil.txt'), evil)
  const run = session.run('cat evil.txt; until rm go 2>/dev/null; do sleep 0.05; done; (exit 7)')
  // The terminal echoes what it is told.
  await viewer.untilSeen(/\^\[\[\?/)
  await writeFile(join(server.workspace, 'go'), '')
  const shown = await run
  expect(shown).toMatchObject({ status: 'error' })
  expect(shown.content).toContain('evil text')
  const end = await session.until('run_end')
  expect(end).toMatchObject({ outcome: 'ended', exitCode: 7 })
  expect((await session.run('echo next; ls')).content).toMatch(
    /^\$ echo next; ls\nnext\nevil\.txt\n\[exit 0/,
  )
  expect(viewer.seen()).not.toContain('^[]52')
  expect(session.all('run_end').length).toBe(2)
  await viewer.close()
})

test('[LANE18] a shell that is replaced by another program is found out, and a restart brings the session back', async () => {
  const session = await server.session()
  await session.send('!exec sleep 1000')
  await session.untilDelta((delta) => delta.type === 'tool_update' && delta.status === 'running')
  await session.interrupt('restart')
  expect(await session.until('run_end')).toMatchObject({ outcome: 'shell_exited' })
  expect(await session.until('shell_exit')).toMatchObject({ reason: 'restarted' })
  expect((await session.run('echo again')).content).toContain('\nagain\n')
})
