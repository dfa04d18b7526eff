import type { Size } from '../emulator/screen.ts'

export interface Viewport extends Size {
  visible: boolean
}

/** Narrower windows pan: programs and people agree on at least this. */
const least: Size = { rows: 24, cols: 80 }
/** The kernel would take more; no screen shows more. */
export const most: Size = { rows: 1_000, cols: 1_000 }

export function isSize({ rows, cols }: Size): boolean {
  return isSide(rows, most.rows) && isSide(cols, most.cols)
}

const isSide = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max

/** The size that every visible viewer can show; null when nobody looks. */
export function sharedSize(viewports: Iterable<Viewport>): Size | null {
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
