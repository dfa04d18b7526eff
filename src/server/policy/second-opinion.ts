import { spawn } from 'node:child_process'

/** One simple command of plain words is read in the same way by everybody. */
const plain = /^[\w./@%+:,=-]+(?: +[\w./@%+:,=-]+)*$/

/** A shell that only reads a text has an answer in milliseconds; one that has none by then says no. */
const limitMs = 10_000
/** Models propose the same few commands again and again. */
const [maxKept, maxKeptChars] = [2_000, 1_000]

const starts = {
  bash: ['--norc', '--noprofile', '-n', '-c', '--'],
  zsh: ['-f', '-n', '-c', '--'],
} as const

const kept = new Map<string, Promise<boolean>>()

/**
 * Asks the shell's own reader, which runs nothing of it, whether a text is a whole command: where it disagrees with
 * ours, one of the two has misread it.
 */
export function isReadBy(shell: 'bash' | 'zsh', command: string): Promise<boolean> {
  if (plain.test(command)) return Promise.resolve(true)
  const key = `${shell} ${command}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const answer = askReader(shell, command)
  if (key.length > maxKeptChars) return answer
  kept.set(key, answer)
  const [oldest = key] = kept.keys()
  if (kept.size > maxKept) kept.delete(oldest)
  return answer
}

function askReader(shell: 'bash' | 'zsh', command: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Nothing of the environment may have a say: a start file least of all.
    const reader = spawn(shell, [...starts[shell], command], {
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: limitMs,
    })
    let isQuiet = true
    // A warning counts, too: a text without an end is only warned of.
    reader.stderr.on('data', () => {
      isQuiet = false
    })
    reader.on('error', () => resolve(false))
    reader.on('close', (code) => resolve(code === 0 && isQuiet))
  })
}
