import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openByteLog } from '../../src/holder/output/byte-log.ts'
import { missingBytes, readStretch } from '../../src/server/terminal/byte-log/read-byte-log.ts'
import { capLogs } from '../../src/server/terminal/byte-log/cap-logs.ts'
import { tempFolder } from '../support/temp.ts'
import { startShell } from './support/temp-shell.ts'

const megabyte = 1024 * 1024
const caps = { sessionBytes: 12 * megabyte, runBytes: 4 * megabyte }

function openLog(folder: string) {
  return openByteLog({
    folder,
    maxBytes: caps.sessionBytes,
    runBytes: caps.runBytes,
    onKept: () => {},
  })
}

function bytesIn(folder: string): number {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

test('[TERM91] a log that was closed writes nothing more, so that its folder can be deleted', async () => {
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  const log = openLog(temp.path)
  log.append(Buffer.from('kept'))
  log.close()
  const files = readdirSync(temp.path)
  log.append(Buffer.from('the last words of a shell that was told to go'))
  log.flush()
  expect(readdirSync(temp.path)).toEqual(files)
  expect(log.head()).toBe(4)
})

test('[TERM91] the middle of a large run goes first, also for a later shell, and the rest stays', async () => {
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  const log = openLog(temp.path)
  const write = (to: typeof log, megabytes: number) => {
    for (let n = 0; n < megabytes; n += 1) to.append(Buffer.alloc(megabyte, n))
    to.flush()
  }
  write(log, 3)
  const run = { from: log.head(), to: log.head() + 20 * megabyte }
  log.runBegan()
  write(log, 20)
  log.runEnded()
  const missing = (from: number, to: number) => missingBytes(temp.path, { from, to })
  expect(bytesIn(temp.path)).toBe(caps.sessionBytes)
  expect(await missing(0, run.from)).toBe(0)
  expect(await missing(run.from, run.from + 2 * megabyte)).toBe(0)
  expect(await missing(run.to - 7 * megabyte, run.to)).toBe(0)
  expect(await missing(run.from, run.to)).toBe(11 * megabyte)
  expect(log.kept()).toMatchObject({ oldest: 0, missingBefore: run.from + 13 * megabyte })
  log.close()

  const next = openLog(temp.path)
  expect(next.kept()).toEqual(log.kept())
  write(next, 5)
  expect(await missing(0, run.from + 2 * megabyte)).toBe(0)
  expect(await missing(run.to - 2 * megabyte, next.head())).toBe(0)
  // Nothing is left of the middle: from here on the oldest goes.
  write(next, 2)
  expect(next.kept().oldest).toBe(2 * megabyte)
  expect(bytesIn(temp.path)).toBe(caps.sessionBytes)
  next.close()
})

test('[TERM91] of a run beyond the cap exactly what is gone is counted, when it ends and when it is read', async () => {
  const own = await startShell({ terminal: { logCaps: caps } })
  onTestFinished(() => own.close())
  await own.run('echo before')
  const lines = 800_000
  const end = await own.run(`seq -f 'line %012g of a flood' ${lines}`)
  const width = 'line 000000000001 of a flood\r\n'.length
  const range = { from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 }
  expect(end).toMatchObject({ outcome: 'ended', exitCode: 0, bytes: lines * width })
  expect(end.omitted).toBeGreaterThanOrEqual(end.bytes - caps.sessionBytes)
  expect(end.output.head.startsWith('line 000000000001 of a flood\n')).toBe(true)
  expect(end.output.tail.endsWith('line 000000800000 of a flood\n')).toBe(true)
  const head = await own.terminal.readOutput(range)
  const tail = await own.terminal.readOutput({ ...range, from: head.offset + head.bytes.length })
  expect(await missingBytes(join(own.folder, 'pty'), range)).toBe(end.omitted)
  expect(head.offset).toBe(range.from)
  expect(tail.offset + tail.bytes.length).toBe(range.to)
  expect(head.bytes.length + end.omitted + tail.bytes.length).toBe(end.bytes)
  expect(Math.min(head.bytes.length, tail.bytes.length)).toBeGreaterThanOrEqual(caps.runBytes / 2)
  const first = (tail.offset - range.from) / width
  const expected = `line ${String(Math.ceil(first) + 1).padStart(12, '0')} of a flood\r\n`
  expect(String(tail.bytes.subarray(0, 2 * width))).toContain(expected)
  expect((await own.run('echo after')).omitted).toBe(0)
})

test('[TERM91] all logs together keep their cap, the oldest output first, a living shell’s by its holder', async () => {
  const temp = await tempFolder()
  onTestFinished(temp.remove)
  /** Segments of 1 MiB, each as old as it says. */
  function makeLog(session: string, ages: readonly number[]): string {
    const folder = join(temp.path, 'teams', 'default', 'sessions', session, 'pty')
    mkdirSync(folder, { recursive: true })
    for (const [index, age] of ages.entries()) {
      const path = join(folder, String(index * megabyte).padStart(16, '0'))
      for (const extension of ['log', 'times'])
        writeFileSync(`${path}.${extension}`, Buffer.alloc(extension === 'log' ? megabyte : 0))
      utimesSync(`${path}.log`, 1_000_000 - age, 1_000_000 - age)
    }
    return folder
  }
  const old = makeLog('old', [900, 800, 700])
  const mixed = makeLog('mixed', [850, 100, 50])
  const only = makeLog('only', [999])
  const live = makeLog('live', [950, 940, 10])
  const { pid } = process
  const startTime = readStartTime(pid)
  const holder = { pid, startTime, socket: '/nowhere', generation: 1 }
  writeFileSync(join(live, '..', 'holder.json'), JSON.stringify(holder))

  const asked: [string, number][] = []
  const letGo = (session: string, before: number) => asked.push([session, before]) > 0
  await capLogs({ home: temp.path, maxBytes: 5 * megabyte, letGo })
  expect(asked).toEqual([
    ['live', megabyte],
    ['live', 2 * megabyte],
  ])
  const left = (folder: string) => readdirSync(folder).map((name) => name.slice(-9))
  expect(left(live).length).toBe(6)
  expect(left(old)).toEqual(['97152.log', '152.times'])
  expect(left(mixed)).toEqual(['48576.log', '576.times', '97152.log', '152.times'])
  expect(left(only)).toEqual(['00000.log', '000.times'])

  // A holder that nobody can ask is left alone, and the last segment of a log always stays.
  await capLogs({ home: temp.path, maxBytes: 0, letGo: () => false })
  expect([old, mixed, only].map((folder) => left(folder).length)).toEqual([2, 2, 2])
  expect(left(live).length).toBe(6)
})

test('[TERM91] a holder lets go of old output when it is told to, and goes on', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  const end = await own.run(`seq -f 'line %012g of a flood' 100000`)
  const range = { from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 }
  expect(own.terminal.forget(range.to)).toBe(true)
  const folder = join(own.folder, 'pty')
  const after = await own.run('echo after')
  const { offset } = await readStretch(folder, range, 1)
  expect(offset).toBe(Math.floor(range.to / megabyte) * megabyte)
  expect(after).toMatchObject({ omitted: 0, output: { head: 'after\n' } })
  await own.terminal.detach()
  expect(own.terminal.forget(range.to)).toBe(false)
})

function readStartTime(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
