import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLogCare } from '../../src/server/damage/log-care.ts'
import { tempFolder } from '../support/temp.ts'

/** Finds nothing, and says so when another one is at work beside it. */
const program = (folder: string) => `
  import { existsSync, rmSync, writeFileSync } from 'node:fs'
  const [working, crowd] = ['working', 'crowd'].map((name) => ${JSON.stringify(folder)} + '/' + name)
  if (existsSync(working)) writeFileSync(crowd, '')
  writeFileSync(working, '')
  for await (const _ of process.stdin);
  rmSync(working, { force: true })
  process.stdout.write(JSON.stringify({ head: null, rows: [] }))
`

test('[STORE39] however many ask at once for what can be read, one process at a time reads the database', async () => {
  const temp = await tempFolder()
  onTestFinished(() => temp.remove())
  const entry = join(temp.path, 'salvage.mjs')
  writeFileSync(entry, program(temp.path))
  const faults: string[] = []
  const diagnostics = { note: () => {}, diagnose: (message: string) => void faults.push(message) }
  const care = createLogCare({ home: temp.path, entry, diagnostics })
  const asked = Array.from({ length: 6 }, () => care.exportReadable('0123456789', 'md'))
  for (const text of await Promise.all(asked)) expect(text).toContain('cannot be read')
  expect(existsSync(join(temp.path, 'crowd'))).toBe(false)

  // Who waits is let go when the server ends.
  const waiting = Array.from({ length: 3 }, () => care.exportReadable('0123456789', 'md'))
  care.close()
  for (const late of await Promise.allSettled(waiting)) expect(late.status).toBe('rejected')
  expect(faults).toEqual([])
})
