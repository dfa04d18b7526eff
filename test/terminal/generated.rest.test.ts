// takes: 35 s
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { command, inNewBash, withoutCr } from './support/generated-commands.ts'
import { isAlive, sessionOf, startShell } from './support/temp-shell.ts'

/** 10,000 in the soak; enough here to meet every shape many times. */
const count = Number(process.env['TANDEM_COMMANDS'] ?? 1_500)
/** The same commands every time, unless told otherwise: a failure must be one's own. */
const seed = Number(process.env['TANDEM_SEED'] ?? 20_261_115)

test(`[TERM1] generated commands give the output and exit code of a new bash each (seed ${seed})`, async () => {
  const shell = await startShell()
  onTestFinished(() => shell.close())
  await shell.run('true')
  // The holder opens its log's files with the first write to them.
  await shell.terminal.readOutput({ from: 0, to: 1 })
  const before = { processes: sessionOf(shell.info.pid).length, files: descriptors(shell.info.pid) }
  const different: string[] = []
  for (const text of fc.sample(command, { numRuns: count, seed })) {
    const [end, expected] = await Promise.all([shell.run(text), inNewBash(text, shell)])
    const range = { from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 }
    const output = withoutCr((await shell.terminal.readOutput(range)).bytes)
    if (output !== withoutCr(expected.output) || end.exitCode !== expected.code)
      different.push(
        JSON.stringify({
          text,
          output,
          end: end.exitCode,
          expected: { ...expected, output: withoutCr(expected.output) },
        }),
      )
  }
  expect(different.slice(0, 5)).toEqual([])
  expect({
    processes: sessionOf(shell.info.pid).length,
    files: descriptors(shell.info.pid),
  }).toEqual(before)
  expect(isAlive(shell.info.pid)).toBe(true)
}, 600_000)

function descriptors(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
  return readdirSync(`/proc/${parent}/fd`).length + readdirSync(`/proc/${pid}/fd`).length
}
