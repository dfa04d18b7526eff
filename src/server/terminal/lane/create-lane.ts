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
  shownPhase,
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
import { createNestedShell } from './nested-shell.ts'
import { createLaneSize } from './lane-size.ts'
import { restLater } from './rest-later.ts'
import { createViewers } from './viewers.ts'

const resetAll = '\x1bc'
/** A few screens of plain text. */
const plainBytes = 16 * 1024
const noShell = 'There is no shell to type into; run something first.'
const hasMoved = 'The terminal has moved to another session.'

export function createLane({ folder, size: firstSize, emulator }: LaneOptions): OwnedLane {
  let client: HolderClient | null = null
  let shells: Shells = { around: [], inner: startState(0) }
  let phase: TerminalUpdate['phase'] = 'none'
  /** The stream's end as the holder said it; what it skipped may still be on its way. */
  let heard = 0
  let listener: (state: TerminalUpdate) => void = () => {}
  let told: TerminalUpdate | null = null
  /** The shell's process and terminal, as its holder names them. */
  let own = { shellPid: 0, pts: '' }

  const size = createLaneSize<LaneSink>(firstSize, (next) => {
    client?.resize(next)
    screen.resize(next)
    checkpoints.changed(0)
    batch.flush()
  })
  const log = createLaneLog(folder, async () => client?.sync())
  const keyboard = createKeyboard({
    write: (data) => client?.input(Buffer.from(data)),
    onChange: changed,
  })
  const screen = createLiveScreen({
    emulator,
    size: size.now,
    head: () => stream.head(),
    readStart: (to) => log.start(to, checkpoints.latest()),
    takeAnswers(on) {
      screen.answersFrom(null)
      client?.answering(!on)
    },
    answer: (text, offset) => client?.answer(offset, Buffer.from(text)),
    onAlternate: changed,
  })
  const nested = createNestedShell(changed)
  const resting = restLater({
    isWatched: size.isWatched,
    isBusy: () => phase === 'running',
    rest: () => screen.rest(),
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
    return { ...size.now(), offset: Math.max(0, stream.head() - plainBytes), data: resetAll }
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
      size: size.now(),
      screen: keyboard.readsSecret() ? 'secret' : lines,
      cwd: shells.inner.cwd,
      integration: integrationOf(shells.inner),
      ...(nested.isThere() && { hasNested: true }),
    }
  }

  /** While somebody sees something run that the shell does not tell of. */
  function lookInside(): void {
    const integration = integrationOf(shells.inner)
    const isRunning = phase === 'running' || (phase === 'prompt' && integration === 'none')
    const isWorth = isRunning && size.isWatched() && !screen.isAlternate()
    nested.follow(isWorth ? { ...own, integration, isAdopted: shells.around.length > 0 } : null)
  }

  function changed(): void {
    // A model that counts columns must be able to rely on them, so its run keeps its size.
    if (!keyboard.isModelRun()) size.fit()
    lookInside()
    const now = state()
    if (told !== null && isSame(told, now)) return
    told = now
    listener(now)
  }

  /** Who looks decides; else a person whose program it is; else the model may. */
  function notResizable(wanted: Size): string | null {
    if (client === null || phase === 'exited') return 'there is no shell'
    const personal = keyboard.isPersonal() ? 'the user is using the terminal' : null
    return size.notWishable(wanted) ?? personal
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
    own = { shellPid: hello.shellPid, pts: hello.pts }
    shells = hello.marks
      .map(readMark)
      .reduce(evolveShells, { around: [], inner: startState(hello.shellPid) })
    if (hello.size !== undefined && size.find(hello.size)) screen.resize(hello.size)
    else client.resize(size.now())
    checkpoints.found(hello.checkpoint)
    heard = hello.head
    stream.reach(hello.head)
    if (screen.isOpen()) {
      screen.answersFrom(null)
      client.answering(false)
    }
    setPhase(hello.exit === null ? shownPhase(shells.inner, 'running') : 'exited')
    const isCurrent = () => client === holder.client
    return {
      ...events,
      onData(offset, bytes) {
        events.onData(offset, bytes)
        if (!isCurrent()) return
        nested.stir()
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
        setPhase(shownPhase(shells.inner, phase))
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
      size.see(sink, viewport)
      changed()
      screen.open()
      const viewer = viewers.add(sink, from)
      return {
        ack: viewer.ack,
        viewport(next) {
          size.see(sink, next)
          changed()
        },
        close() {
          size.leave(sink)
          viewer.remove()
          changed()
          if (!size.isWatched()) resting.soon()
        },
      }
    },
    type(data) {
      if (client !== null && phase !== 'exited') return keyboard.type(data)
      return { code: 'no_run', message: phase === 'moved' ? hasMoved : noShell }
    },
    drive: keyboard.drive,
    isTaken: keyboard.isTaken,
    head: () => stream.head(),
    async heard() {
      const isAnswered = (await client?.sync()) ?? true
      return isAnswered ? heard : null
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
        size: size.now,
        head: () => heard,
        checkpoint: checkpoints.latest,
      }),
    async wishSize(wanted) {
      const why = notResizable(wanted)
      if (why !== null) return why
      size.set(wanted)
      changed()
      const isAnswered = (await client?.sync()) ?? true
      return isAnswered ? null : 'the shell’s holder does not answer'
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
    async putAside() {
      await checkpoints.take(screen.snapshot())
      if (!size.isWatched()) resting.soon()
    },
    moved() {
      client = null
      setPhase('moved')
    },
    close() {
      resting.close()
      nested.follow(null)
      checkpoints.close()
      screen.close()
    },
  }
}
