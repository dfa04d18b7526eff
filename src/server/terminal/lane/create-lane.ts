import type { TerminalUpdate } from '../../../protocol/delta.ts'
import type { Hello } from '../../../protocol/holder.ts'
import type { Size, Snapshot } from '../emulator/screen.ts'
import type { HolderClient, HolderEvents } from '../holder-client.ts'
import { look } from '../look.ts'
import { readMark } from '../read-mark.ts'
import {
  evolveShells,
  integrationOf,
  type Shells,
  type ShellState,
  startState,
} from '../shell-state.ts'
import { batchBytes } from './batch-bytes.ts'
import { createByteStream } from './byte-stream.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createKeyboard } from './keyboard.ts'
import type { LaneOptions, LaneSink, OwnedLane } from './lane.ts'
import { createLaneLog } from './lane-log.ts'
import { createLiveScreen } from './live-screen.ts'
import { isSame } from './is-same.ts'
import { isSize, most, sharedSize, type Viewport } from './shared-size.ts'
import { createViewers } from './viewers.ts'

const resetAll = '\x1bc'
/** After this long without a viewer the emulator stops following: a reload is quicker. */
const restMs = 30_000
/** A few screens of plain text. */
const plainBytes = 16 * 1024

export function createLane({ folder, size: firstSize, emulator }: LaneOptions): OwnedLane {
  const viewports = new Map<LaneSink, Viewport>()
  let client: HolderClient | null = null
  let shells: Shells = { around: [], inner: startState(0) }
  let phase: TerminalUpdate['phase'] = 'none'
  let size = firstSize
  /** The stream's end as the holder said it; what it skipped may still be on its way. */
  let heard = 0
  let listener: (state: TerminalUpdate) => void = () => {}
  let told: TerminalUpdate | null = null
  let resting: NodeJS.Timeout | null = null

  const log = createLaneLog(folder, async () => client?.sync())
  const keyboard = createKeyboard({
    write: (data) => client?.input(Buffer.from(data)),
    onChange: changed,
  })
  const screen = createLiveScreen({
    emulator,
    size: () => size,
    head: () => stream.head(),
    readStart: (to) => log.start(to, checkpoints.latest()),
    takeAnswers(on) {
      screen.answersFrom(null)
      client?.answering(!on)
    },
    answer: (text, offset) => client?.answer(offset, Buffer.from(text)),
    onAlternate: changed,
  })
  const checkpoints = createCheckpoints({
    snapshot: () => (screen.isOpen() ? screen.snapshot() : null),
    keep: (checkpoint) => client?.checkpoint(checkpoint),
  })
  const viewers = createViewers({
    flush() {
      batch.flush()
      return stream.head()
    },
    read: log.exactly,
    snapshot: () => screen.snapshot().catch(screen.snapshot).catch(plainScreen),
    snapshotLag: screen.lag,
  })
  const batch = batchBytes(viewers.send)
  const stream = createByteStream({
    read: log.read,
    isWatched: () => screen.isOpen() || viewers.count() > 0,
    onBytes(offset, bytes) {
      screen.feed(offset, bytes)
      checkpoints.changed(bytes.length)
      if (viewers.count() > 0) batch.push(offset, bytes)
    },
  })

  /** Without an emulator the end of the stream still says more than nothing. */
  function plainScreen(): Snapshot {
    return { ...size, offset: Math.max(0, stream.head() - plainBytes), data: resetAll }
  }

  function change(inner: Partial<ShellState>): void {
    shells = { ...shells, inner: { ...shells.inner, ...inner } }
  }

  function state(): TerminalUpdate {
    const lines = screen.isAlternate() ? 'alt' : 'line'
    return {
      type: 'terminal',
      phase,
      driver: keyboard.driver(),
      size,
      screen: keyboard.readsSecret() ? 'secret' : lines,
      cwd: shells.inner.cwd,
      integration: integrationOf(shells.inner),
    }
  }

  function changed(): void {
    resize()
    const now = state()
    if (told !== null && isSame(told, now)) return
    told = now
    listener(now)
  }

  /** A model that counts columns must be able to rely on them, so its run keeps its size. */
  function resize(): void {
    const wanted = sharedSize(viewports.values())
    if (wanted !== null && !keyboard.isModelRun()) applySize(wanted)
  }

  function applySize(wanted: Size): void {
    if (wanted.rows === size.rows && wanted.cols === size.cols) return
    size = wanted
    client?.resize(size)
    screen.resize(size)
    checkpoints.changed(0)
    batch.flush()
    for (const sink of viewports.keys()) sink.resized()
  }

  /** Who looks decides; else a person whose program it is; else the model may. */
  function notResizable(wanted: Size): string | null {
    if (client === null || phase === 'exited') return 'there is no shell'
    if (!isSize(wanted)) return `rows and columns are whole numbers from 1 to ${most.rows}`
    if (sharedSize(viewports.values()) !== null) return 'somebody is looking at the terminal'
    return keyboard.isPersonal() ? 'the user is using the terminal' : null
  }

  /** At a prompt no query is on its way, so none is lost when the holder answers again. */
  function restSoon(): void {
    if (resting !== null) clearTimeout(resting)
    resting = setTimeout(() => {
      if (viewports.size > 0) return
      if (phase === 'running') restSoon()
      else screen.rest()
    }, restMs).unref()
  }

  function setPhase(next: TerminalUpdate['phase']): void {
    phase = next
    changed()
  }

  function attach(
    holder: { hello: Hello; client: HolderClient },
    events: HolderEvents,
  ): HolderEvents {
    const { hello } = holder
    client = holder.client
    shells = hello.marks
      .map(readMark)
      .reduce(evolveShells, { around: [], inner: startState(hello.shellPid) })
    const isSized = hello.size?.rows === size.rows && hello.size.cols === size.cols
    if (!isSized && viewports.size === 0 && hello.size !== undefined) {
      size = hello.size
      screen.resize(size)
    } else if (!isSized) client.resize(size)
    checkpoints.found(hello.checkpoint)
    heard = hello.head
    stream.reach(hello.head)
    if (screen.isOpen()) {
      screen.answersFrom(null)
      client.answering(false)
    }
    setPhase(hello.exit === null ? shells.inner.phase : 'exited')
    const isCurrent = () => client === holder.client
    return {
      ...events,
      onData(offset, bytes) {
        events.onData(offset, bytes)
        if (!isCurrent()) return
        heard = offset + bytes.length
        stream.push(offset, bytes)
      },
      onMark(mark) {
        events.onMark(mark)
        if (!isCurrent()) return
        shells = evolveShells(shells, mark)
        if (mark.kind === 'loaded') keyboard.entered()
        // The program that it runs in is a prompt from now on.
        if (mark.kind === 'integrated') keyboard.runEnded()
        setPhase(shells.inner.phase)
      },
      onUninjected(uninjected) {
        events.onUninjected(uninjected)
        if (uninjected.isUnheard === true) change({ isUnheard: true })
        keyboard.entered()
      },
      onQuiet: ({ offset }) => (isCurrent() ? screen.answersFrom(offset) : undefined),
      onExit(exit) {
        events.onExit(exit)
        if (isCurrent()) setPhase('exited')
      },
      onClose() {
        events.onClose()
        if (!isCurrent()) return
        client = null
        setPhase('exited')
      },
    }
  }

  return {
    view(sink, { from, viewport }) {
      viewports.set(sink, viewport)
      changed()
      screen.open()
      const viewer = viewers.add(sink, from)
      return {
        ack: viewer.ack,
        viewport(next) {
          viewports.set(sink, next)
          changed()
        },
        close() {
          viewports.delete(sink)
          viewer.remove()
          changed()
          if (viewports.size === 0) restSoon()
        },
      }
    },
    type(data) {
      if (client === null || phase === 'exited')
        return { code: 'no_run', message: 'There is no shell to type into; run something first.' }
      return keyboard.type(data)
    },
    drive: keyboard.drive,
    isTaken: keyboard.isTaken,
    head: () => stream.head(),
    async heard() {
      await client?.sync()
      return heard
    },
    state,
    onState(next) {
      listener = next
    },
    attach,
    look: (wanted) =>
      look(wanted, {
        emulator,
        log,
        size: () => size,
        head: () => heard,
        checkpoint: checkpoints.latest,
      }),
    async wishSize(wanted) {
      const why = notResizable(wanted)
      if (why !== null) return why
      applySize(wanted)
      changed()
      await client?.sync()
      return null
    },
    async during({ watch, ...run }, work) {
      keyboard.runBegan(run)
      try {
        const end = await work({
          ...watch,
          onStatus(status, leftMs) {
            keyboard.status(status)
            watch.onStatus(status, leftMs)
          },
        })
        // As the kernel told it where the shell did not.
        if (end.outcome === 'ended' && phase === 'running') {
          change({ phase: 'prompt' })
          phase = 'prompt'
        }
        return end
      } finally {
        keyboard.runEnded()
      }
    },
    starting: () => setPhase('starting'),
    close() {
      if (resting !== null) clearTimeout(resting)
      checkpoints.close()
      screen.close()
    },
  }
}
