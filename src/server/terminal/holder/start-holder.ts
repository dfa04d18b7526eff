import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { unwaited, readRegular } from '../../files/read-regular.ts'
import { HolderReady, type HolderStart, HolderFile } from '../../../protocol/holder/holder.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import { readStat } from '../../process/proc-stat.ts'

/** It moves bytes and keeps few objects: a small heap costs no speed. */
const nodeFlags = ['--max-semi-space-size=1', '--max-old-space-size=64']

/** A loaded machine takes a second; one that says nothing for so long will not. */
const startMs = 10_000

/** Starts a holder that outlives us; resolves with its socket once it owns a shell. */
export function startHolder(entry: string, start: HolderStart): Promise<Result<string, string>> {
  const log = join(start.folder, 'holder.log')
  const errors = openLog(log)
  if (errors === null)
    return Promise.resolve(refused(`cannot write ${log}: is it a file? Remove it.`))
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
      const ready = readReady(line)
      if (ready === null) fail('it ended at once')
      else if (ready.ok) resolve(ok(ready.socket))
      else fail(ready.message)
    })
  })
}

function readReady(line: string): HolderReady | null {
  try {
    return HolderReady.parse(JSON.parse(line))
  } catch {
    return null
  }
}

function openLog(path: string): number | null {
  try {
    return openSync(path, unwaited.append, 0o600)
  } catch (error) {
    // A full disk is told as one, by whoever asked for the shell.
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
    return null
  }
}

/** The living holder a session's folder names; null when there is none. */
export function findHolder(folder: string): HolderFile | null {
  try {
    const file = HolderFile.parse(JSON.parse(readRegular(join(folder, 'holder.json'))))
    return isAlive(file) ? file : null
  } catch {
    return null
  }
}

/** A pid is used again; together with its start time it is not. */
export function isAlive({ pid, startTime }: HolderFile): boolean {
  const fields = readStat(pid)?.fields ?? []
  return fields[0] !== 'Z' && fields[19] === startTime
}
