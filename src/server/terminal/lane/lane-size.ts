import type { Size } from '../emulator/screen.ts'

export interface Viewport extends Size {
  visible: boolean
}

/** Somebody who looks, as far as the size goes. */
interface Sized {
  resized(): void
}

/** How large the terminal is, and for whom. */
export interface LaneSize<Sink extends Sized> {
  now(): Size
  isWatched(): boolean
  see(sink: Sink, viewport: Viewport): void
  leave(sink: Sink): void
  /** Takes the size that fits all who look, if there are any. */
  fit(): void
  /** Takes the size that was found, if nobody looks. */
  find(found: Size): boolean
  set(wanted: Size): void
  /** Why a wish cannot be granted; null: it can. */
  notWishable(wanted: Size): string | null
}

export function createLaneSize<Sink extends Sized>(
  first: Size,
  onChange: (size: Size) => void,
): LaneSize<Sink> {
  const viewports = new Map<Sink, Viewport>()
  let size = first

  const isNow = ({ rows, cols }: Size) => rows === size.rows && cols === size.cols

  function set(wanted: Size): void {
    if (isNow(wanted)) return
    size = wanted
    onChange(size)
    for (const sink of viewports.keys()) sink.resized()
  }

  return {
    now: () => size,
    isWatched: () => viewports.size > 0,
    see: (sink, viewport) => void viewports.set(sink, viewport),
    leave: (sink) => void viewports.delete(sink),
    fit() {
      const wanted = sharedSize(viewports.values())
      if (wanted !== null) set(wanted)
    },
    find(found) {
      if (viewports.size > 0) return false
      size = found
      return true
    },
    set,
    notWishable(wanted) {
      if (!isSize(wanted)) return `rows and columns are whole numbers from 1 to ${most.rows}`
      return sharedSize(viewports.values()) === null ? null : 'somebody is looking at the terminal'
    },
  }
}

/** Narrower windows pan: programs and people agree on at least this. */
const least: Size = { rows: 24, cols: 80 }
/** The kernel would take more; no screen shows more. */
const most: Size = { rows: 1_000, cols: 1_000 }

function isSize({ rows, cols }: Size): boolean {
  return isSide(rows, most.rows) && isSide(cols, most.cols)
}

const isSide = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max

/** The size that every visible viewer can show; null when nobody looks. */
function sharedSize(viewports: Iterable<Viewport>): Size | null {
  const visible = [...viewports].filter((viewport) => viewport.visible)
  if (visible.length === 0) return null
  return {
    rows: within(
      visible.map(({ rows }) => rows),
      'rows',
    ),
    cols: within(
      visible.map(({ cols }) => cols),
      'cols',
    ),
  }
}

function within(sides: readonly number[], side: keyof Size): number {
  return Math.max(least[side], Math.min(most[side], ...sides))
}
