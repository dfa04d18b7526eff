import type { TerminalUpdate } from '../../../protocol/delta.ts'
import type { HolderEvents } from '../holder-client.ts'
import {
  driver,
  isModelRun,
  isPersonal,
  isTaken,
  mayType,
  readsSecret,
  shownIntegration,
  shownPhase,
  topShell,
} from '../../../terminal/select.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import type { Size } from '../emulator/screen.ts'
import { isSame } from './is-same.ts'
import type { AttachedShell, LaneOptions, LaneSink, OwnedLane } from './lane.ts'
import { createLaneSize } from './lane-size.ts'
import { createLaneStream } from './lane-stream.ts'
import { createNestedShell } from './nested-shell.ts'
import { hasMoved, noShell, notDriver } from './no-input.ts'
import { restLater } from './rest-later.ts'

/** Where the terminal is in its life; a `live` one says itself what it does. */
type Life = Extract<TerminalUpdate['phase'], 'none' | 'starting' | 'exited' | 'moved'> | 'live'

export function createLane({ folder, size: firstSize, emulator }: LaneOptions): OwnedLane {
  let life: Life = 'none'
  let attached: AttachedShell | null = null
  let listener: (state: TerminalUpdate) => void = () => {}
  let told: TerminalUpdate | null = null
  let viewers = 0

  const client = () => attached?.client ?? null
  const shellState = (): TerminalState | null => attached?.shell.state() ?? null
  const size = createLaneSize<LaneSink>(firstSize, (next) => {
    client()?.resize(next)
    stream.resized(next)
  })
  const stream = createLaneStream({
    folder,
    emulator,
    size: size.now,
    client,
    onAlternate: changed,
  })
  const nested = createNestedShell(changed)
  const resting = restLater({
    isWatched: size.isWatched,
    isBusy: () => phase() === 'running',
    rest: stream.rest,
  })

  function phase(): TerminalUpdate['phase'] {
    const now = shellState()
    if (life !== 'live') return life
    return now === null ? 'exited' : shownPhase(now)
  }

  function state(): TerminalUpdate {
    const now = shellState()
    const shell = now && topShell(now)
    const lines = stream.isAlternate() ? 'alt' : 'line'
    return {
      type: 'terminal',
      phase: phase(),
      driver: now === null ? 'person' : driver(now),
      size: size.now(),
      screen: now !== null && readsSecret(now) ? 'secret' : lines,
      cwd: shell?.cwd ?? null,
      integration: shell === null ? 'none' : shownIntegration(shell),
      ...(nested.isThere() && { hasNested: true }),
    }
  }

  /** While somebody sees something run that the shell does not tell of. */
  function lookInside(): void {
    const now = shellState()
    if (now === null || attached === null) return nested.follow(null)
    const shown = phase()
    const integration = shownIntegration(topShell(now))
    const isRunning = shown === 'running' || (shown === 'prompt' && integration === 'none')
    const isWorth = isRunning && size.isWatched() && !stream.isAlternate()
    const { shellPid, pts } = attached.hello
    const isAdopted = now.shells.length > 1
    nested.follow(isWorth ? { shellPid, pts, integration, isAdopted } : null)
  }

  function changed(): void {
    const now = shellState()
    // A model that counts columns must be able to rely on them, so its run keeps its size.
    if (viewers > 0 && (now === null || !isModelRun(now))) size.fit()
    if (viewers > 0) lookInside()
    const next = state()
    if (told !== null && isSame(told, next)) return
    told = next
    listener(next)
  }

  /** The viewer's size wins, then the person's program, then the model's wish. */
  function notResizable(wanted: Size): string | null {
    const now = shellState()
    if (now === null || phase() === 'exited') return 'there is no shell'
    const personal = isPersonal(now) ? 'the user is using the terminal' : null
    return size.notWishable(wanted) ?? personal
  }

  function live(next: Life): void {
    life = next
    changed()
  }

  function attach(shell: AttachedShell, events: HolderEvents): HolderEvents {
    const { hello } = shell
    attached = shell
    if (hello.size !== undefined && size.find(hello.size)) stream.resized(hello.size)
    else shell.client.resize(size.now())
    stream.attach(hello, shell.client)
    live('live')
    const isCurrent = () => attached === shell
    return {
      ...events,
      onData(offset, bytes) {
        events.onData(offset, bytes)
        if (!isCurrent()) return
        if (viewers > 0) nested.stir()
        stream.push(offset, bytes)
      },
      onQuiet: ({ offset }) => (isCurrent() ? stream.quiet(offset) : undefined),
      onClose() {
        events.onClose()
        if (!isCurrent()) return
        attached = null
        live('exited')
      },
    }
  }

  return {
    view(sink, { from, viewport }) {
      viewers += 1
      size.see(sink, viewport)
      changed()
      const viewer = stream.view(sink, from)
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
          viewers -= 1
          if (!size.isWatched()) resting.soon()
        },
      }
    },
    type(data) {
      const now = shellState()
      if (now === null || attached === null || phase() === 'exited')
        return { code: 'no_run', message: life === 'moved' ? hasMoved : noShell }
      if (!mayType(topShell(now), data)) return { code: 'not_driver', message: notDriver }
      attached.shell.type(data)
      return null
    },
    drive: (next) => attached?.shell.drive(next),
    isTaken: () => attached !== null && isTaken(attached.shell.state()),
    head: stream.head,
    async heard() {
      const isAnswered = (await client()?.sync()) ?? true
      return isAnswered ? stream.heard() : null
    },
    state,
    onState(next) {
      listener = next
    },
    attach,
    changed,
    look: stream.look,
    async wishSize(wanted) {
      const why = notResizable(wanted)
      if (why !== null) return why
      size.set(wanted)
      changed()
      const isAnswered = (await client()?.sync()) ?? true
      return isAnswered ? null : 'the shell’s holder does not answer'
    },
    starting: () => live('starting'),
    async putAside() {
      await stream.putAside()
      if (!size.isWatched()) resting.soon()
    },
    moved() {
      attached = null
      live('moved')
    },
    close() {
      resting.close()
      nested.follow(null)
      stream.close()
    },
  }
}
