import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wayByFile } from '../src/holder/way-in.ts'
import { createInjector } from '../src/holder/injector.ts'
import { createNonces } from '../src/holder/nonces.ts'
import { openPty } from '../src/holder/pty.ts'
import { createMarkScanner } from '../src/holder/scan-marks.ts'
import { writeStartFile } from '../src/holder/start-file.ts'
import { createWriteQueue } from '../src/holder/write-queue.ts'
import { prepareShell } from '../src/server/terminal/shell-start.ts'
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
  let isOver = false
  let onPrompt: () => void = () => {}
  const nextPrompt = () =>
    new Promise<void>((resolve) => {
      onPrompt = resolve
    })

  const scanner = createMarkScanner(createNonces(start.nonce), {
    text() {},
    mark(kind, fields) {
      injector.onMark(kind, fields)
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
    onData: (bytes) => scanner.feed(bytes),
    onExit() {},
  })
  const input = createWriteQueue(pty.fd)
  const injector = createInjector({
    way: wayByFile(folder, start.shell.keys.load),
    keys: start.shell.keys,
    alwaysBrackets: false,
    shellPid: pty.pid,
    reads: () => null,
    place: () => ({ stamp: 0, cwd: '' }),
    onLate() {},
    onSettled() {},
    onPasted() {},
    write: (bytes) => input.push(bytes),
    onUninjected({ reason }) {
      throw new Error(reason)
    },
  })
  await nextPrompt()
  startFile.remove()
  let count = 0
  return {
    run(command) {
      const over = nextPrompt()
      count += 1
      const line = Buffer.from(command)
      injector.inject({
        id: `run-${count}`,
        model: true,
        asFile: false,
        private: false,
        stamp: null,
        command: line,
      })
      return over
    },
    close() {
      process.kill(pty.pid, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
