import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readStretch } from '../../src/server/terminal/byte-log/read-byte-log.ts'
import { connectHolder } from '../../src/server/terminal/holder/connect-holder.ts'
import type { HolderClient, HolderEvents } from '../../src/server/terminal/holder/client.ts'
import { createSignal } from '../support/signal.ts'
import { startShell } from './support/temp-shell.ts'

/** A server's end of a holder, in the hands of the test. */
async function connectTo(
  folder: string,
  onText: (client: HolderClient, seen: string, end: number) => void,
) {
  const { socket } = JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8'))
  const changed = createSignal()
  let seen = ''
  let isQuiet = false
  const client = await connectHolder(socket, (_hello, opened) => {
    const events: HolderEvents = {
      onData(offset, bytes) {
        seen += bytes.toString('latin1')
        onText(opened, seen, offset + bytes.length)
        changed.fire()
      },
      onQuiet() {
        isQuiet = true
        changed.fire()
      },
      onMark() {},
      onExit() {},
      onKept() {},
      onUninjected() {},
      onClose: changed.fire,
    }
    return { events, value: opened }
  })
  return {
    client,
    quiet: () => changed.until(() => isQuiet),
    until: (text: RegExp) => changed.until(() => text.test(seen)),
  }
}

/** Asks what terminal this is, and says how many answers came until none came for half a second. */
const ask = String.raw`stty -echo -icanon; printf 'as''king\e[c'; got=; while IFS= read -r -n1 -t 0.5 k; do got+=$k; done; stty sane; only=${'${got//[!c]/}'}; echo "answers:${'${#only}'}:"`

/** The holder writes what it hears to its log; there is no server to ask. */
async function answered(folder: string): Promise<number> {
  for (;;) {
    const { bytes } = await readStretch(folder, { from: 0, to: 1_000_000 }, 1_000_000)
    const found = /answers:(\d+):/.exec(bytes.toString('latin1'))
    if (found !== null) return Number(found[1])
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const cases: [string, (client: HolderClient, end: number) => void, number][] = [
  ['leaves without an answer', (client) => client.disconnect(), 1],
  [
    'answers and leaves at once',
    (client, end) => {
      client.answer(end, Buffer.from('\x1b[?1;2c'))
      client.disconnect()
    },
    1,
  ],
  ['starts its emulator anew', (client) => client.answering(false), 1],
  ['gives the answers back', (client) => client.answering(true), 1],
  [
    'has seen that it is no question',
    (client, offset) => {
      client.checkpoint({ offset, rows: 24, cols: 80, data: '' })
      client.disconnect()
    },
    0,
  ],
]

test.each(cases)(
  '[LANE16] a query is answered exactly once when the server that should answer %s',
  async (_name, react, answers) => {
    const own = await startShell()
    onTestFinished(() => own.close())
    await own.terminal.detach()
    let isDone = false
    const server = await connectTo(own.folder, (client, seen, end) => {
      if (isDone || !seen.includes('asking\x1b[c')) return
      isDone = true
      react(client, end)
      client.disconnect()
    })
    server.client.answering(false)
    await server.quiet()
    server.client.input(Buffer.from(`${ask}\r`))
    await server.until(/asking\x1b\[c/)
    expect(await answered(join(own.folder, 'pty'))).toBe(answers)
  },
)
