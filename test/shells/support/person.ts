import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import {
  createFrameReader,
  encodeFrame,
  frameKind,
  markPlaceBytes,
} from '../../../src/protocol/holder/frames.ts'
import type { HomeShell } from './shell-home.ts'

/** Types at the terminal as a person would, until it shows what is waited for. */
export async function typeAs(shell: HomeShell, keys: string, until: RegExp): Promise<string> {
  await shell.terminal.detach()
  const { socket } = JSON.parse(readFileSync(join(shell.folder, 'holder.json'), 'utf8')) as {
    socket: string
  }
  const seen = await new Promise<string>((resolve) => {
    const link = connect(socket)
    let shown = ''
    // What is entered with Return is over at the next prompt, or at one for more of it.
    let atPrompt = !keys.endsWith('\r')
    const read = createFrameReader((kind, payload) => {
      if (kind === frameKind.data) shown += Buffer.from(payload.subarray(8)).toString('latin1')
      if (kind === frameKind.mark && until.test(plain(shown))) {
        atPrompt ||= /^[BP]/.test(Buffer.from(payload.subarray(markPlaceBytes)).toString())
      }
      if (atPrompt && until.test(plain(shown))) link.end(() => resolve(plain(shown)))
    })
    link.on('data', read)
    link.write(encodeFrame(frameKind.input, Buffer.from(keys)))
  })
  await shell.terminal.attach(1)
  return seen
}

/** Colours, modes and titles out; cursor movements too, which is good enough to find a word. */
function plain(shown: string): string {
  return shown.replaceAll(/\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07|\(B|[=>])/g, '')
}
