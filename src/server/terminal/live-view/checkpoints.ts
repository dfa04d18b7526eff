import type { Snapshot } from '../emulator/screen/screen.ts'
import { within } from '../within.ts'

interface CheckpointsDeps {
  /** Null while no screen is drawn. */
  snapshot(): Promise<Snapshot> | null
  keep(checkpoint: Snapshot): void
}

/** Rare enough to be lost in what parsing as many bytes costs, near enough to be replayed in a second. */
const everyBytes = 16 * 1024 * 1024
/** A screen that stays like this for a moment is one to come back to. */
const quietMs = 1_000
/** A screen that takes longer to draw is not worth waiting for. */
const drawMs = 3_000

/** The last screen that was put aside, here and with the holder, so that none is drawn from far back. */
export function createCheckpoints({ snapshot, keep }: CheckpointsDeps) {
  let last: Snapshot | null = null
  let since = 0
  let changedAt = 0
  let timer: NodeJS.Timeout | null = null
  let isTaking = false

  function put(checkpoint: Snapshot): void {
    last = checkpoint
    keep(checkpoint)
  }

  async function take(): Promise<void> {
    const asked = isTaking ? null : snapshot()
    if (asked === null) return
    isTaking = true
    since = 0
    try {
      put(await asked)
    } catch {
      // The screen was given up meanwhile; the last one is still true for its offset.
    } finally {
      isTaking = false
    }
  }

  /** Output only notes the time: moving a timer at each piece of a flood would cost more. */
  function takeWhenQuiet(): void {
    timer = null
    const left = changedAt + quietMs - performance.now()
    // A checkpoint that is being taken may not have seen the last change.
    if (left > 1 || isTaking) timer = setTimeout(takeWhenQuiet, Math.max(left, quietMs / 2)).unref()
    else void take()
  }

  return {
    /** The holder kept one that an earlier server had drawn. */
    found(checkpoint: Snapshot | null): void {
      if (checkpoint !== null && checkpoint.offset >= (last?.offset ?? 0)) last = checkpoint
    },
    /** This many bytes more are on the screen, or it has another size. */
    changed(bytes: number): void {
      since += bytes
      changedAt = performance.now()
      if (since >= everyBytes) void take()
      timer ??= setTimeout(takeWhenQuiet, quietMs).unref()
    },
    latest: () => last,
    /** Puts this one aside, if it is drawn soon enough. */
    async take(shown: Promise<Snapshot>): Promise<void> {
      await within(
        drawMs,
        shown.then(put, () => undefined),
      )
    },
    close(): void {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
