import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootId, readProcess } from '../../src/server/one-shot/process-table.ts'
import { endLeftovers, writeRunFile } from '../../src/server/one-shot/run-file.ts'
import { isAlive, openPlace, pidsIn, type TempPlace } from './support/one-shot.ts'

let place: TempPlace
let entry: string
beforeAll(async () => {
  place = openPlace()
  entry = await bundleDoomed(place.folder)
})
afterAll(() => place.remove())

async function bundleDoomed(folder: string): Promise<string> {
  const source = fileURLToPath(new URL('support/doomed-server.ts', import.meta.url))
  const built = await rolldown({ input: source, platform: 'node' })
  await built.write({ file: join(folder, 'doomed.mjs'), format: 'esm' })
  await built.close()
  return join(folder, 'doomed.mjs')
}

test('[ONE60] what a killed server left running is ended at the next start, however it hid', async () => {
  const folder = join(place.folder, 'killed')
  mkdirSync(folder)
  const commands = {
    plain: 'echo "shell $$"; sleep 1000; :',
    group: 'echo "shell $$"; sleep 1000 & echo "child $!"; wait',
    stubborn: `trap '' TERM; echo "shell $$"; while :; do read -t 100 <> <(:); done`,
    // The leader is gone before the server dies, its child elsewhere: only the mark tells.
    orphan: 'setsid sh -c \'echo "child $$"; exec sleep 1000\' & exec sleep 1000',
  }
  const named = Object.fromEntries(
    Object.values(commands).map((command) => [`sh-${randomUUID()}`, command]),
  )
  const server = spawn(process.execPath, [entry, JSON.stringify({ folder, commands: named })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const part of server.stdout) {
    text += String(part)
    if (pidsIn(text).length === 5) break
  }
  const pids = pidsIn(text)
  server.kill('SIGKILL')
  await once(server, 'exit')
  expect(pids.filter(isAlive)).toEqual(pids)
  const files = () =>
    readdirSync(join(folder, 'one-shot')).filter((id) =>
      existsSync(join(folder, 'one-shot', id, 'process.json')),
    )
  expect(files()).toHaveLength(4)
  expect(await endLeftovers(join(folder, 'one-shot'))).toEqual([])
  expect(pids.filter(isAlive)).toEqual([])
  expect(files()).toEqual([])
})

test('[ONE60] a process that only has the number of a dead one is never signalled', async () => {
  const folder = join(place.folder, 'recycled')
  const stranger = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
  const ended = once(stranger, 'exit')
  const pid = stranger.pid ?? 0
  const startTime = readProcess(pid)?.startTime ?? 0
  const leave = async (id: string, change: object) => {
    const at = join(folder, id)
    mkdirSync(at, { recursive: true })
    await writeRunFile(at, { mark: id, leader: { pid, startTime } })
    const file = JSON.parse(readFileSync(join(at, 'process.json'), 'utf8'))
    writeFileSync(join(at, 'process.json'), JSON.stringify({ ...file, ...change }))
  }
  await leave('sh-1', { leader: { pid, startTime: startTime - 1 } })
  await leave('sh-2', { leader: { pid, startTime: startTime + 1 } })
  await leave('sh-3', { bootId: `${bootId()}x` })
  await leave('sh-4', { leader: null })
  await leave('sh-5', { leader: { pid: 'x' } })
  mkdirSync(join(folder, 'sh-6'))
  writeFileSync(join(folder, 'sh-6', 'process.json'), '{ broken')
  expect(await endLeftovers(folder)).toEqual([])
  expect(isAlive(pid)).toBe(true)
  await leave('sh-7', {})
  expect(await endLeftovers(folder)).toEqual([])
  await ended
  expect(stranger.signalCode).toBe('SIGTERM')
  expect(await endLeftovers(join(place.folder, 'nowhere'))).toEqual([])
})
