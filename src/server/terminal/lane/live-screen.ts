import type { RemoteScreen } from '../emulator/emulator.ts'
import type { Size, Snapshot } from '../emulator/screen.ts'
import type { SharedEmulator } from './shared-emulator.ts'

/** One session's screen in the emulator: opened when somebody looks, fed with every byte after. */
export interface LiveScreen {
  open(): void
  feed(offset: number, bytes: Uint8Array): void
  /** The holder answers queries before this offset, the emulator those after it. */
  answersFrom(offset: number | null): void
  resize(size: Size): void
  snapshot(): Promise<Snapshot>
  isOpen(): boolean
  isAlternate(): boolean
  /** Bytes fed and not yet on the screen. */
  lag(): number
  /** Nobody looks any more: gives the screen up until somebody does. */
  rest(): void
  close(): void
}

/** The last part of the stream, and what the screen showed before it, if that is known. */
export interface ScreenStart {
  checkpoint?: Snapshot
  offset: number
  bytes: Uint8Array
}

export interface LiveScreenDeps {
  emulator: SharedEmulator
  size(): Size
  /** The end of the stream, and what to draw the screen from up to it. */
  head(): number
  readStart(to: number): Promise<ScreenStart>
  /** Asks the holder to leave the answers to us, or to take them back. */
  takeAnswers(on: boolean): void
  /** To all that was asked before this offset. */
  answer(text: string, offset: number): void
  onAlternate(): void
}

/** A flood: nobody reads what scrolls by, so the screen is drawn when it is over, or asked for. */
const maxLagBytes = 8 * 1024 * 1024
/** So long without output, a flood is over. */
const calmMs = 100
/** An emulator that dies of what it is shown must not be restarted without end. */
const againMs = 1_000

export function createLiveScreen(deps: LiveScreenDeps): LiveScreen {
  let screen: RemoteScreen | null = null
  let waiting: { offset: number; bytes: Uint8Array }[] | null = null
  let opening: Promise<RemoteScreen> | null = null
  let answersFrom: number | null = null
  let openedAt = Number.NEGATIVE_INFINITY
  let asleep: NodeJS.Timeout | null = null
  let wasAlternate = false
  let isClosed = false
  const abandoned = new Set<() => void>()

  function give(to: RemoteScreen, offset: number, bytes: Uint8Array): void {
    const old = answersFrom === null ? bytes.length : Math.max(0, answersFrom - offset)
    to.replay(bytes.subarray(0, old))
    to.write(bytes.subarray(old))
  }

  function lost(): void {
    screen = null
    opening = null
    waiting = null
    if (isClosed) return
    deps.takeAnswers(false)
    deps.onAlternate()
    setTimeout(
      () => {
        if (!isClosed) start().catch(() => undefined)
      },
      openedAt + againMs - performance.now(),
    )
  }

  async function begin(): Promise<RemoteScreen> {
    const held: { offset: number; bytes: Uint8Array }[] = []
    if (isClosed) throw new Error('the session is closed')
    wake()
    waiting = held
    openedAt = performance.now()
    deps.takeAnswers(true)
    const { bytes: drawn, ...from } = await deps.readStart(deps.head())
    const opened = deps.emulator.open(
      { ...deps.size(), ...from },
      { onAnswer: deps.answer, onAlternate: deps.onAlternate, onLost: lost },
    )
    if (from.checkpoint !== undefined) opened.resize(deps.size())
    opened.replay(drawn)
    for (const { offset, bytes } of held) give(opened, offset, bytes)
    waiting = null
    screen = opened
    return opened
  }

  function start(): Promise<RemoteScreen> {
    opening ??= begin().catch((error: unknown) => {
      opening = null
      waiting = null
      throw error
    })
    return opening
  }

  function drop(): void {
    screen?.close()
    screen = null
    opening = null
    for (const tell of abandoned) tell()
    abandoned.clear()
  }

  /** Sits a flood out: drawing it would cost the command more than all else that is done with it. */
  function sleep(): void {
    wasAlternate = screen?.isAlternate() ?? false
    drop()
    deps.takeAnswers(false)
    asleep = setTimeout(() => void start().catch(() => undefined), calmMs)
  }

  function wake(): void {
    if (asleep !== null) clearTimeout(asleep)
    asleep = null
  }

  /** A screen that is given up answers nobody; who asked is told instead of left waiting. */
  async function ask<T>(question: (screen: RemoteScreen) => Promise<T>): Promise<T> {
    const asked = await start()
    return new Promise((resolve, reject) => {
      const gone = () => reject(new Error('the screen was given up'))
      abandoned.add(gone)
      void question(asked)
        .then(resolve, reject)
        .finally(() => abandoned.delete(gone))
    })
  }

  function startAnew(): void {
    drop()
    start().catch(() => undefined)
  }

  return {
    open() {
      start().catch(() => undefined)
    },
    feed(offset, bytes) {
      if (waiting !== null) waiting.push({ offset, bytes })
      else if (screen === null) asleep?.refresh()
      else if (screen.lag() > maxLagBytes) sleep()
      else if (screen.offset() !== offset) startAnew()
      else give(screen, offset, bytes)
    },
    answersFrom(offset) {
      answersFrom = offset
    },
    resize: (size) => screen?.resize(size),
    snapshot: () => ask((asked) => asked.snapshot()),
    isOpen: () => opening !== null,
    lag: () => screen?.lag() ?? 0,
    isAlternate: () => screen?.isAlternate() ?? (asleep !== null && wasAlternate),
    rest() {
      wake()
      if (screen === null) return
      drop()
      deps.takeAnswers(false)
    },
    close() {
      isClosed = true
      wake()
      drop()
    },
  }
}
