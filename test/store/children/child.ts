import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface Child {
  kill(): void
  /** All lines the child wrote, and how it ended, once it is gone and its output is read. */
  gone: Promise<{ lines: readonly string[]; signal: NodeJS.Signals | null; errors: string }>
  /** Resolves when the child has written this many lines, or has gone. */
  wrote(count: number): Promise<void>
}

/** Starts a program that dies with the test at the latest, also when the test fails. */
export function startChild(program: string, args: readonly string[]): Child {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines: string[] = []
  const waiting = new Set<{ count: number; resolve: () => void }>()
  let errors = ''
  let ended = false

  function settle(): void {
    for (const waiter of waiting) {
      if (!ended && lines.length < waiter.count) continue
      waiting.delete(waiter)
      waiter.resolve()
    }
  }

  const output = createInterface({ input: child.stdout! })
  const read = new Promise<void>((resolve) => output.once('close', resolve))
  output.on('line', (line) => {
    lines.push(line)
    settle()
  })
  child.stderr!.on('data', (data) => (errors += String(data)))
  const gone = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, signal) => resolve(signal)),
  ).then(async (signal) => {
    await read
    ended = true
    settle()
    return { lines, signal, errors }
  })

  return {
    kill: () => child.kill('SIGKILL'),
    gone,
    wrote: (count) =>
      new Promise((resolve) => {
        waiting.add({ count, resolve })
        settle()
      }),
  }
}
