import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInjector, deliverByFile } from '../src/holder/inject/injector.ts'
import { createNonces, createMarkScanner } from '../src/holder/output/scan-marks.ts'
import { openPty } from '../src/holder/process/pty.ts'
import { writeStartFile } from '../src/holder/process/home.ts'
import { prepareShell } from '../src/server/terminal/start/prepare-shell.ts'
import type { TerminalOptions } from '../src/server/terminal/terminal-options.ts'

export interface InProcessShell {
  /** Resolves when the prompt is back. */
  run(command: string): Promise<void>
  close(): void
}

/** The same shell with the same marks, its PTY in this process: what is left without the holder. */
export async function startInProcess(
  options: TerminalOptions,
  cwd: string,
): Promise<InProcessShell> {
  const prepared = await prepareShell(options, { generation: 1, cwd })
  if (!prepared.ok) throw new Error(prepared.error)
  const { start } = prepared.value
  const folder = mkdtempSync(join(start.privateRoots.at(0) ?? tmpdir(), 'tandem-bench-'))
  const startFile = writeStartFile(start, folder)
  const place = { stamp: 0, cwd: '' }
  let isOver = false
  let onPrompt: () => void = () => {}
  const nextPrompt = () =>
    new Promise<void>((resolve) => {
      onPrompt = resolve
    })

  const scanner = createMarkScanner(createNonces(start.nonce), {
    text() {},
    mark(kind, fields) {
      injector.hear({ type: 'mark', kind, fields, place, now: performance.now() })
      if (kind === 'D') isOver = true
      if (kind !== 'B' || !isOver) return
      isOver = false
      onPrompt()
    },
  })
  const pty = openPty({
    file: start.shell.file,
    args: startFile.args,
    cwd,
    env: { ...start.env, ...startFile.env },
    size: start.size,
  })
  const injector = createInjector({
    delivery: deliverByFile(folder, start.shell.keys.load),
    keys: start.shell.keys,
    alwaysBrackets: false,
    shellPid: pty.pid,
    reads: () => null,
    write: pty.input.push,
    tell(told) {
      if (told.type === 'uninjected') throw new Error(told.uninjected.reason)
    },
  })
  pty.listen({ onData: scanner.feed, onExit() {} })
  await nextPrompt()
  startFile.remove()
  let count = 0
  return {
    run(command) {
      const over = nextPrompt()
      count += 1
      const line = Buffer.from(command)
      const injection = {
        id: `run-${count}`,
        model: true,
        asFile: false,
        private: false,
        stamp: null,
        command: line,
      }
      injector.hear({ type: 'order', injection, place, now: performance.now() })
      return over
    },
    close() {
      process.kill(pty.pid, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
