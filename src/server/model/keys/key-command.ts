import { type ChildProcess, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { refused, type Result } from '../../../base/result.ts'
import { keyIn } from './key-in.ts'

type Env = Readonly<Record<string, string>>
type Key = Result<string, string>

/** Tokens that a command gives last an hour or so; a keychain may ask the person each time. */
const keptMs = 5 * 60_000
/** A person may have to unlock a keychain. */
const commandMs = 60_000
const commandChars = 64 * 1024

interface Given {
  at: number
  key: Promise<Key>
  stop: AbortController
  /** So many wait for it; it is ended when the last of them gives up. */
  waiting: number
  isDone: boolean
}

/** Keys that commands print, each asked once for all that wait for it. */
export function createKeyCommands({ env, now }: { env: Env; now: () => number }) {
  const given = new Map<string, Given>()

  function start(command: string): Given {
    const stop = new AbortController()
    const key = runKeyCommand(command, env, stop.signal)
    const one: Given = { at: now(), key, stop, waiting: 0, isDone: false }
    given.set(command, one)
    void key.then(({ ok: isGood }) => {
      one.isDone = true
      if (!isGood && given.get(command) === one) given.delete(command)
    })
    return one
  }

  return {
    async get(command: string, signal?: AbortSignal): Promise<Key> {
      const kept = given.get(command)
      const one = kept && now() - kept.at < keptMs ? kept : start(command)
      one.waiting += 1
      try {
        return await (signal === undefined ? one.key : unlessAborted(one.key, signal))
      } finally {
        one.waiting -= 1
        if (one.waiting === 0 && !one.isDone) {
          if (given.get(command) === one) given.delete(command)
          one.stop.abort()
        }
      }
    },
    forget: (command: string) => void given.delete(command),
  }
}

async function unlessAborted(key: Promise<Key>, signal: AbortSignal): Promise<Key> {
  let abort = () => {}
  const aborted = new Promise<Key>((resolve) => {
    abort = () => resolve(refused('was stopped'))
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
  try {
    return await Promise.race([key, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Nothing of what it prints is shown: it may be the key. */
function runKeyCommand(command: string, env: Env, signal: AbortSignal): Promise<Key> {
  return new Promise((settle) => {
    // Its own group, so that what it started goes with it.
    const child = spawn('/bin/sh', ['-c', command], {
      env: { ...env },
      cwd: homedir(),
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let printed = ''
    const giveUp = (why: string) => {
      endGroup(child)
      settle(refused(why))
    }
    const timer = setTimeout(() => giveUp(`took more than ${commandMs / 1_000} s`), commandMs)
    signal.addEventListener('abort', () => giveUp('was stopped'), { once: true })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.length > commandChars) giveUp('printed no key')
    })
    child.on('error', () => giveUp('failed (exit unknown)'))
    child.on('close', (code) => {
      clearTimeout(timer)
      if (code === 0) settle(keyIn(printed, 'printed no key'))
      else settle(refused(`failed (exit ${String(code ?? 'unknown')})`))
    })
  })
}

function endGroup({ pid, stdout }: ChildProcess): void {
  stdout?.destroy()
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
