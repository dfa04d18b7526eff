import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { HolderReady, type HolderStart } from '../../protocol/holder.ts'
import { ok, refused, type Result } from '../../protocol/result.ts'

/** It moves bytes and keeps few objects: a small heap costs no speed. */
const nodeFlags = ['--max-semi-space-size=1', '--max-old-space-size=64']

/** A loaded machine takes a second; one that says nothing for so long will not. */
const startMs = 10_000

/** Starts a holder that outlives us; resolves with its socket once it owns a shell. */
export function startHolder(entry: string, start: HolderStart): Promise<Result<string, string>> {
  const log = join(start.folder, 'holder.log')
  const errors = openSync(log, 'a', 0o600)
  const child = spawn(process.execPath, [...nodeFlags, entry], {
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', errors],
  })
  closeSync(errors)
  child.unref()
  return new Promise((resolve) => {
    let line = ''
    const fail = (why: string) =>
      resolve(refused(`The shell's holder did not start: ${why}. See ${log}.`))
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`it said nothing for ${startMs / 1000} seconds`)
    }, startMs)
    const { stdin, stdout } = child
    child.on('error', (error) => {
      clearTimeout(late)
      fail(error.message)
    })
    if (stdin === null || stdout === null) return fail('it has no pipes')
    stdin.on('error', (error) => fail(error.message))
    stdin.end(JSON.stringify(start))
    stdout.setEncoding('utf8')
    stdout.on('data', (text: string) => {
      line += text
    })
    stdout.on('end', () => {
      clearTimeout(late)
      const ready = HolderReady.safeParse(parseLine(line))
      if (!ready.success) fail('it ended at once')
      else if (ready.data.ok) resolve(ok(ready.data.socket))
      else fail(ready.data.message)
    })
  })
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
