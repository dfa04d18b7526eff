import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openByteLog } from '../../src/holder/output/byte-log.ts'
import { readByteLog } from '../../src/server/terminal/byte-log/read-byte-log.ts'
import { makeTerminal, startShell, text } from './support/temp-shell.ts'

function holderMegabytes(folder: string): number {
  const { pid } = JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')) as { pid: number }
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(rss?.[1]) / 1024
}

test('[TERM43] 20 MB of output cost little memory, and what lies between head and tail is counted', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  const before = { server: process.memoryUsage().rss, holder: holderMegabytes(own.folder) }
  let streamed = 0
  const end = await own.run('yes "$(printf %079d 7)" | head -n 250000', {
    onOutput: (more) => (streamed += more.length),
  })
  expect(end).toMatchObject({ outcome: 'ended', exitCode: 0, bytes: 250_000 * 81, omitted: 0 })
  const { head, tail, omittedChars } = end.output
  expect(head.length + tail.length + omittedChars).toBe(250_000 * 80)
  expect([head.length, tail.length]).toEqual([256 * 1024, 256 * 1024])
  // Live output is skipped for a server that is too far behind; the log has all of it.
  expect(streamed).toBeGreaterThan(0)
  expect(streamed).toBeLessThanOrEqual(end.bytes)
  expect(holderMegabytes(own.folder) - before.holder).toBeLessThan(40)
  expect((process.memoryUsage().rss - before.server) / 1e6).toBeLessThan(120)
  const middle = { from: (end.ptyFrom ?? 0) + 81 * 100_000, to: (end.ptyFrom ?? 0) + 81 * 100_001 }
  expect(String((await own.terminal.readOutput(middle)).bytes)).toBe(`${'7'.padStart(79, '0')}\r\n`)
})

test('[TERM91] the byte log keeps its cap, the oldest goes first, and offsets go on', async () => {
  const made = await makeTerminal()
  onTestFinished(made.close)
  const folder = join(made.root, 'log')
  const megabyte = 1024 * 1024
  const kept: number[] = []
  const log = openByteLog({
    folder,
    maxBytes: 3 * megabyte,
    runBytes: megabyte,
    onKept: ({ oldest }) => kept.push(oldest),
  })
  for (let n = 0; n < 10; n += 1) log.append(Buffer.alloc(megabyte, n))
  log.close()
  expect(log.kept()).toEqual({
    oldest: 7 * megabyte,
    refusedBytes: 0,
    missingBefore: 7 * megabyte,
  })
  expect(kept.at(-1)).toBe(7 * megabyte)
  const sizes = readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => statSync(join(folder, name)).size)
  expect(sizes).toEqual([megabyte, megabyte, megabyte])
  const again = openByteLog({
    folder,
    maxBytes: 3 * megabyte,
    runBytes: megabyte,
    onKept: () => {},
  })
  expect(again.head()).toBe(10 * megabyte)
  again.append(Buffer.from('end'))
  again.close()
  let read = ''
  for await (const bytes of readByteLog(folder, { from: 10 * megabyte - 1, to: 11 * megabyte }))
    read += bytes.toString('latin1')
  expect(read).toBe('\x09end')
})

test('[TERM15] a background job that floods the terminal changes no exit code', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  await own.run('(while :; do echo flood-flood-flood; done) &')
  for (let code = 0; code < 30; code += 1) {
    expect(await own.run(`(exit ${code})`)).toMatchObject({ outcome: 'ended', exitCode: code })
  }
  await own.run('kill %1; wait 2>/dev/null')
  expect(text((await own.run('echo quiet')).output)).toContain('quiet\n')
})
