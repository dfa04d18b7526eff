import { afterAll, afterEach, expect } from 'vitest'
import type { TerminalInput } from '../../../src/protocol/events/call.ts'
import type { Range } from '../../../src/server/terminal/byte-log/read-byte-log.ts'
import type { Captured, TerminalRunEnd } from '../../../src/server/terminal/terminal.ts'
import { type LookedShell, removeWorker, startLooked } from './looked-shell.ts'
import { text } from './temp-shell.ts'

/** A shell for each test, what the model sees on its screen, and what it types there. */
export function useScreen() {
  let current: LookedShell | null = null
  afterEach(async () => {
    await current?.close()
    current = null
  })
  afterAll(removeWorker)

  const start = async () => (current ??= await startLooked())

  function shell(): LookedShell {
    if (current === null) throw new Error('no shell was started')
    return current
  }

  async function send(input: TerminalInput, hidden: readonly Range[] = []) {
    const { signal } = new AbortController()
    const sent = await shell().terminal().send(input, { signal, hidden })
    expect(sent.refused).toBeNull()
    return { state: sent.state, seen: text(sent.output) }
  }

  return {
    start,
    shell,
    type: (line: string, hidden?: readonly Range[]) => send({ type: 'text', text: line }, hidden),
    press: (...names: string[]) => send({ type: 'keys', names }),
    /** Starts a program and tells what the model sees of it once it needs somebody. */
    async waits(command: string): Promise<{ seen: string; ended: Promise<TerminalRunEnd> }> {
      const { run } = await start()
      let onSeen: (seen: Captured) => void = () => {}
      const seen = new Promise<Captured>((resolve) => (onSeen = resolve))
      const ended = run(command, { onWaits: (_state, said) => onSeen(said) })
      return { seen: text(await seen), ended }
    },
  }
}
