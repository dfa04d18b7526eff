import { expect, test } from 'vitest'
import { createScreen } from '../../src/server/terminal/emulator/screen/screen.ts'
import {
  createRandom,
  recordings,
  wildStream,
  type Random,
  type Stream,
} from './support/streams.ts'
import { createViewer, stateOf } from './support/terminal-state.ts'

const size = { cols: 80, rows: 24 }
const seed = Number(process.env['TANDEM_SEED'] ?? 20_261_115)

interface Joins {
  stream: Stream
  cuts: number
  random: Random
}

/** Joins at random places of one stream; each joiner is compared at once and at the stream's end. */
function checkJoins({ stream, cuts, random }: Joins): number {
  const { name, bytes } = stream
  const places = Array.from({ length: cuts }, () => random(bytes.length + 1)).sort((a, b) => a - b)
  const screen = createScreen(size)
  const witness = createViewer(size)
  const whole = createViewer(size)
  whole.write(bytes)
  const end = stateOf(whole.terminal)
  let at = 0
  for (const cut of places) {
    const piece = bytes.subarray(at, cut)
    if (piece.length > 0) {
      screen.write(piece, at)
      witness.write(piece)
    }
    at = cut
    const snapshot = screen.snapshot()
    const joiner = createViewer(size)
    joiner.write(snapshot.data)
    joiner.write(bytes.subarray(snapshot.offset, cut))
    const where = `${name} at ${cut}, seed ${seed}`
    expect(stateOf(joiner.terminal), where).toEqual(stateOf(witness.terminal))
    joiner.write(bytes.subarray(cut))
    expect(stateOf(joiner.terminal), `${where}, at the end`).toEqual(end)
    joiner.terminal.dispose()
  }
  return places.length
}

test(`[EMU1] who joins late at any place of a recorded program sees what others see, at once and later (seed ${seed})`, () => {
  const random = createRandom(seed)
  const streams = recordings()
  const cuts = Math.ceil(560 / streams.length)
  const checked = streams.map((stream) => checkJoins({ stream, cuts, random }))
  expect(checked.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(500)
})

test(`[EMU1] the same holds for sequences in no sensible order (seed ${seed})`, () => {
  const random = createRandom(seed)
  for (let round = 0; round < 150; round += 1) {
    const bytes = wildStream(random, 20 + random(200))
    checkJoins({ stream: { name: `wild ${round}`, bytes }, cuts: 6, random })
  }
})
