import type { Snapshot } from '../emulator/screen.ts'
import { within } from '../within.ts'

/** The last screen that was put aside, here and with the holder, so that none is drawn from far back. */
export interface Checkpoints {
  /** Of an earlier server, kept by the holder. */
  found(checkpoint: Snapshot | null): void
  /** This many bytes more are on the screen, or it has another size. */
  changed(bytes: number): void
  latest(): Snapshot | null
  /** This one, if it is drawn soon enough. */
  take(shown: Promise<Snapshot>): Promise<void>
  close(): void
}

export interface CheckpointsDeps {
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

export function createCheckpoints({ snapshot, keep }: CheckpointsDeps): Checkpoints {
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
  function look(): void {
    timer = null
    const left = changedAt + quietMs - performance.now()
    // One that is being taken may not have seen the last change.
    if (left > 1 || isTaking) timer = setTimeout(look, Math.max(left, quietMs / 2)).unref()
    else void take()
  }

  return {
    found(checkpoint) {
      if (checkpoint !== null && checkpoint.offset >= (last?.offset ?? 0)) last = checkpoint
    },
    changed(bytes) {
      since += bytes
      changedAt = performance.now()
      if (since >= everyBytes) void take()
      timer ??= setTimeout(look, quietMs).unref()
    },
    latest: () => last,
    async take(shown) {
      const drawn = shown.then(put, () => undefined)
      await within(drawMs, drawn)
    },
    close() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
