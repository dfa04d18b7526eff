import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  createFrameReader,
  decodeOffset,
  encodeFrame,
  frameKind,
} from '../../src/protocol/holder/frames.ts'
import { readStretch } from '../../src/server/terminal/byte-log/read-byte-log.ts'
import { createSignal } from '../support/signal.ts'
import { startShell } from './support/temp-shell.ts'

test('[TERM84] a server that was too far behind learns how far the stream is, though nothing more comes', async () => {
  const own = await startShell()
  onTestFinished(() => own.close())
  await own.terminal.detach()
  const { socket: path } = JSON.parse(readFileSync(join(own.folder, 'holder.json'), 'utf8'))
  const socket = connect(path)
  onTestFinished(() => void socket.destroy())
  const changed = createSignal()
  let said = false
  let heard = 0
  let end = 0
  const read = createFrameReader((kind, payload) => {
    if (kind === frameKind.hello) said = true
    if (kind === frameKind.data) {
      heard += payload.length - 8
      end = decodeOffset(payload) + payload.length - 8
    }
  })
  socket.on('data', (bytes: Buffer) => {
    read(bytes)
    changed.fire()
  })
  await changed.until(() => said)
  socket.pause()
  const command = `seq -f 'line %012g of a flood' 500000; echo al''l; read -r _`
  socket.write(encodeFrame(frameKind.input, Buffer.from(`${command}\r`)))
  const head = await logEnd(join(own.folder, 'pty'), 'all\r\n')
  socket.resume()
  await changed.until(() => end >= head)
  expect(end).toBe(head)
  expect(heard).toBeLessThan(head)
})

/** Where the log ends once it ends with this. */
async function logEnd(folder: string, text: string): Promise<number> {
  for (let at = 0; ;) {
    const { bytes } = await readStretch(folder, { from: at, to: Number.MAX_SAFE_INTEGER }, 2 ** 20)
    if (bytes.toString('latin1').endsWith(text)) return at + bytes.length
    at += Math.max(0, bytes.length - text.length)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
