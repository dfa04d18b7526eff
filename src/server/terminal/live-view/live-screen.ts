import { assertNever } from '../../../base/assert-never.ts'
import type { Size, Snapshot } from '../emulator/screen/screen.ts'
import type { RemoteScreen } from '../emulator/worker/emulator.ts'
import type { SharedEmulator } from '../emulator/worker/shared-emulator.ts'
import {
  hearScreen,
  isDrawn,
  type ScreenEffect,
  type ScreenLife,
  type ScreenNews,
} from './screen-life.ts'

/** The last part of the stream, and what the screen showed before it, if that is known. */
export interface ScreenStart {
  checkpoint?: Snapshot
  offset: number
  bytes: Uint8Array
}

interface LiveScreenDeps {
  emulator: SharedEmulator
  size(): Size
  /** The end of the stream, and what to draw the screen from up to it. */
  head(): number
  readStart(to: number): Promise<ScreenStart>
  /** Asks the holder to leave the answers to us, or to take them back. */
  takeAnswers(on: boolean): void
  /** Passes on the emulator's answers to all queries before this offset. */
  answer(text: string, offset: number): void
  onAlternate(): void
}

/**
 * One session's screen in the emulator: opened when somebody looks, fed with every byte after. Does what follows from
 * its life (`screen-life.ts`).
 */
export function createLiveScreen(deps: LiveScreenDeps) {
  let life: ScreenLife = { phase: 'off' }
  let drawing: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  const held = createHeldScreen(deps)

  function hear(news: ScreenNews): void {
    const step = hearScreen(life, news)
    life = step.life
    for (const effect of step.effects) perform(effect)
  }

  function perform(effect: ScreenEffect): void {
    switch (effect.type) {
      case 'draw':
        drawing = draw()
        return
      case 'show':
        return held.show(effect.old, effect.fresh)
      case 'drop':
        return held.drop()
      case 'take-answers':
        return deps.takeAnswers(effect.on)
      case 'tell-alternate':
        return deps.onAlternate()
      case 'wake':
        timer = setTimeout(want, effect.ms)
        return
      case 'put-off':
        timer?.refresh()
        return
      case 'stay':
        return clearTimeout(timer)
      default:
        return assertNever(effect)
    }
  }

  const want = () => hear({ type: 'wanted', now: performance.now() })
  const onLost = () => hear({ type: 'lost', now: performance.now() })

  async function draw(): Promise<void> {
    try {
      const start = await deps.readStart(deps.head())
      if (life.phase === 'closed') return
      held.open(start, onLost)
      hear({ type: 'opened' })
    } catch {
      // Those who wait for it find no screen, and show what they can without one.
      hear({ type: 'failed' })
    }
  }

  return {
    open: want,
    feed(offset: number, bytes: Uint8Array): void {
      const now = performance.now()
      hear({ type: 'fed', piece: { offset, bytes }, now, ...held.standing() })
    },
    /** The holder answers queries before this offset, the emulator those after it. */
    answersFrom: (offset: number | null) => hear({ type: 'answers-from', offset }),
    resize: held.resize,
    async snapshot(): Promise<Snapshot> {
      want()
      if (life.phase !== 'open') await drawing
      return held.snapshot()
    },
    isOpen: () => isDrawn(life),
    /** Bytes fed and not yet on the screen. */
    lag: () => held.standing().lag,
    isAlternate: () => (life.phase === 'asleep' ? life.wasAlternate : held.standing().isAlternate),
    /** Nobody looks any more: gives the screen up until somebody does. */
    rest: () => hear({ type: 'rest' }),
    close: () => hear({ type: 'close' }),
  }
}

type HeldScreenDeps = Pick<LiveScreenDeps, 'emulator' | 'size' | 'answer' | 'onAlternate'>

/** The emulator's screen while there is one. */
function createHeldScreen({ emulator, size, answer, onAlternate }: HeldScreenDeps) {
  let screen: RemoteScreen | null = null
  /** Those who wait for an answer of the screen. */
  const waiting = new Set<(reason: Error) => void>()

  return {
    open({ bytes, ...from }: ScreenStart, onLost: () => void): void {
      const events = { onAnswer: answer, onAlternate, onLost }
      screen = emulator.open({ ...size(), ...from }, events)
      if (from.checkpoint !== undefined) screen.resize(size())
      screen.replay(bytes)
    },
    show(old: Uint8Array, fresh: Uint8Array): void {
      screen?.replay(old)
      screen?.write(fresh)
    },
    /** Bytes that it has not drawn, and the end of what it got. */
    standing: () => ({
      lag: screen?.lag() ?? 0,
      end: screen?.offset() ?? 0,
      isAlternate: screen?.isAlternate() ?? false,
    }),
    resize: (next: Size) => screen?.resize(next),
    snapshot(): Promise<Snapshot> {
      const asked = screen?.snapshot()
      if (asked === undefined) return Promise.reject(givenUp())
      return new Promise((resolve, reject) => {
        waiting.add(reject)
        void asked.then(resolve, reject).finally(() => waiting.delete(reject))
      })
    },
    /** A screen that is given up answers nobody; who asked is told instead of left waiting. */
    drop(): void {
      screen?.close()
      screen = null
      for (const reject of waiting) reject(givenUp())
      waiting.clear()
    },
  }
}

const givenUp = () => new Error('the screen was given up')
