import { isModelRun, isPersonal } from '../../../terminal/shells.ts'
import type { Size } from '../emulator/screen/screen.ts'
import type { Viewport, LiveViewSink, OwnedLiveView } from './live-view.ts'
import {
  phaseOf,
  type TerminalLife,
  createKeyboard,
  createShownTerminal,
} from './shown-terminal.ts'
import { createLiveStream, type LiveStreamDeps } from './live-stream.ts'
import { watchNestedShell } from './watch-nested-shell.ts'

/** Narrower windows pan: programs and people agree on at least this. */
const least: Size = { rows: 24, cols: 80 }
/** The kernel would take more; no screen shows more. */
const most: Size = { rows: 1_000, cols: 1_000 }

/** The size that those who look want; null: it stays as it is. */
export function wantedSize(life: TerminalLife, viewports: Iterable<Viewport>): Size | null {
  const state = life.shown?.shell.state() ?? null
  // A model that counts columns must be able to rely on them, so its run keeps its size.
  return state !== null && isModelRun(state) ? null : fittingSize(viewports)
}

/** Why the model cannot have this size: the viewer's wins, then the person's program. Null: it can. */
export function notResizable(
  wanted: Size,
  { life, viewports }: { life: TerminalLife; viewports: Iterable<Viewport> },
): string | null {
  const state = life.shown?.shell.state() ?? null
  if (state === null || phaseOf(life) === 'exited') return 'there is no shell'
  if (!isSize(wanted)) return `rows and columns are whole numbers from 1 to ${most.rows}`
  if (fittingSize(viewports) !== null) return 'somebody is looking at the terminal'
  return isPersonal(state) ? 'the user is using the terminal' : null
}

/** The size that every visible viewer can show; null when nobody looks. */
function fittingSize(viewports: Iterable<Viewport>): Size | null {
  const visible = [...viewports].filter((viewport) => viewport.visible)
  if (visible.length === 0) return null
  return { rows: fitting(visible, 'rows'), cols: fitting(visible, 'cols') }
}

function fitting(viewports: readonly Size[], side: keyof Size): number {
  return Math.max(least[side], Math.min(most[side], ...viewports.map((size) => size[side])))
}

function isSize({ rows, cols }: Size): boolean {
  return isSide(rows, most.rows) && isSide(cols, most.cols)
}

const isSide = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max

type LiveViewOptions = Pick<LiveStreamDeps, 'folder' | 'emulator'> & { size: Size }

/**
 * One terminal for all who look at it. While nobody does, only the stream's end and the shell's state are
 * followed: neither bytes nor screens are passed on.
 */
export function createLiveView({ size: first, ...from }: LiveViewOptions): OwnedLiveView {
  /** Somebody looks, or did a moment ago. */
  let isFollowed = false
  const isAlternate = () => isFollowed && stream.isAlternate()
  const terminal = createShownTerminal(first, {
    isAlternate,
    hasNested: () => isWatched() && nested.isThere(),
    adapt(life) {
      if (!isWatched()) return
      size.fit(life)
      nested.follow(life.at === 'live' && !isAlternate() ? life.shown : null)
    },
    attach(hello, client) {
      if (hello.size === undefined || isWatched()) client.resize(size.now())
      else size.set(hello.size)
      stream.attach(hello, client)
      if (isFollowed) stream.reach(hello.head)
    },
    push(offset, bytes) {
      if (isWatched()) nested.stir()
      if (isFollowed) stream.push(offset, bytes)
    },
    quiet: (offset) => stream.quiet(offset),
  })
  const { now } = terminal
  const { isWatched, ...size } = createSharedSize(now, (next) => isFollowed && stream.resized(next))
  const nested = watchNestedShell(terminal.changed)
  const stream = createLiveStream({
    ...from,
    size: size.now,
    end: terminal.end,
    client: terminal.client,
    onAlternate: terminal.changed,
    isBusy: () => phaseOf(terminal.life()) === 'running',
    onRest() {
      isFollowed = false
      now.isSeen = isWatched()
    },
  })

  function follow(): typeof stream {
    if (!isFollowed) stream.reach(terminal.end())
    isFollowed = now.isSeen = true
    return stream
  }

  function see(sink: LiveViewSink, viewport: Viewport | null): void {
    size.see(sink, viewport)
    if (viewport !== null) now.isSeen = true
    if (!isWatched()) nested.follow(null)
    terminal.changed()
  }

  return {
    ...terminal,
    ...createKeyboard(terminal.life),
    view(sink, { from, viewport }) {
      see(sink, viewport)
      const { ack, remove } = follow().view(sink, from)
      const close = () => {
        remove()
        see(sink, null)
      }
      return { ack, viewport: (next) => see(sink, next), close }
    },
    head: () => (isFollowed ? stream.head() : terminal.end()),
    readScreen: stream.readScreen,
    async resize(wanted) {
      const why = size.notTaken(wanted, terminal.life())
      if (why !== null) return why
      terminal.changed()
      return (await terminal.heard()) === null ? 'the shell’s holder does not answer' : null
    },
    putAside: () => follow().putAside(),
    close() {
      nested.follow(null)
      stream.close()
    },
  }
}

/** The terminal's size, which all who look at it share. */
function createSharedSize(terminal: { size: Size }, onChange: (size: Size) => void) {
  const viewports = new Map<LiveViewSink, Viewport>()

  function set(next: Size): void {
    terminal.size = next
    onChange(next)
  }

  function take(wanted: Size, { shown }: TerminalLife): void {
    const { size } = terminal
    if (wanted.rows === size.rows && wanted.cols === size.cols) return
    shown?.client.resize(wanted)
    set(wanted)
    for (const sink of viewports.keys()) sink.resized()
  }

  return {
    now: () => terminal.size,
    isWatched: () => viewports.size > 0,
    /** Somebody looks through a window of this size; null: not any more. */
    see(sink: LiveViewSink, viewport: Viewport | null): void {
      if (viewport === null) viewports.delete(sink)
      else viewports.set(sink, viewport)
    },
    set,
    fit(life: TerminalLife): void {
      take(wantedSize(life, viewports.values()) ?? terminal.size, life)
    },
    /** Takes the size that the model wants; says why not, or null. */
    notTaken(wanted: Size, life: TerminalLife): string | null {
      const why = notResizable(wanted, { life, viewports: viewports.values() })
      if (why === null) take(wanted, life)
      return why
    },
  }
}
