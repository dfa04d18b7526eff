import type { HolderExit } from '../../protocol/holder.ts'
import { type Capture, createCapture } from './capture.ts'
import { createIdleWatch, type IdleWatch } from './idle-watch.ts'
import type { Mark } from './read-mark.ts'
import { readsItself } from './reads-itself.ts'
import { lostEnd } from './run-end.ts'
import { createRunEndings } from './run-endings.ts'
import {
  blindForeground,
  followForeground,
  type Need,
  type RunForeground,
} from './run-foreground.ts'
import { createRunLimit, type RunLimit } from './run-limit.ts'
import { createRunOutput } from './run-output.ts'
import type { RunShell } from './run-shell.ts'
import { createRunSight } from './run-sight.ts'
import { createStopLadder } from './stop-ladder.ts'
import type { RunWatch, SendOptions, Sent, TerminalRun, TerminalRunEnd } from './terminal.ts'
import { mustBreakOff, startTrack, trackRun } from './track-run.ts'

export interface RunFollower {
  onMark: (mark: Mark) => void
  onData: (offset: number, bytes: Buffer) => void
  onExit: (exit: HolderExit) => void
  onUninjected: (reason: string) => void
  onLost: () => void
  /** For a run an earlier server began: what it missed, up to `head`, at holder time `now`. */
  pickUp: (missed: { marks: readonly Mark[]; head: number; now: number }) => Promise<void>
  end: Promise<TerminalRunEnd>
  /** A person typed into the program. */
  onTyped: () => void
  /** It may go on as long as it likes. */
  keep: () => void
  /** Types into the program, and tells what came of it. */
  send: (bytes: Buffer | null, options: SendOptions) => Promise<Sent>
  /** The mark that ended it, for the acknowledgement. */
  lastSeq: () => number | null
  /** Its shell is at its prompt again, and not on the way to it. */
  isBack: () => boolean
  /** Its shell itself said that it has ended. */
  isHeard: () => boolean
}

const interruptKey = '\x03'
/** After Ctrl+C on a line that could not be entered, the prompt comes back at once if it ever does. */
const cleanMs = 1000
const maxBreaks = 3

/** Follows one run from the injection of its command to its end, whoever says that it ended. */
export function followRun(shell: RunShell, run: TerminalRun, watch: RunWatch): RunFollower {
  // Of a private one, what the prompt's hooks print is hidden as well. fish marks an end before it exits, too.
  const hasEnd = run.private !== true && shell.name() !== 'fish'
  const isOneLine = shell.isSeen && hasEnd && !run.command.trimEnd().includes('\n')
  let track = startTrack({ id: run.id, shellPid: shell.pid, isOneLine })
  let settle: (end: TerminalRunEnd) => void = () => {}
  let over = false
  let uninjected: string | null = null
  let limit: RunLimit | null = null
  let idle: IdleWatch | null = null
  let foreground: RunForeground | null = null
  let listener: Capture | null = null
  let breaks = 0
  const end = new Promise<TerminalRunEnd>((resolve) => {
    settle = resolve
  })
  const output = createRunOutput({
    folder: shell.folder,
    onOutput: (text) => watch.onOutput(text),
    sync: shell.sync,
    draw: shell.draw,
  })
  const sight = createRunSight({
    output,
    from: () => track.from?.offset ?? null,
    screen: shell.screen,
  })
  const endings = createRunEndings({ shell, output, run, track: () => track })
  const ladder = createStopLadder({
    interrupt: shell.interrupt,
    signal: shell.signal,
    restart: shell.restart,
    onStatus: (status) => watch.onStatus(status),
  })
  const onAbort = () => ladder.climb()
  watch.signal.addEventListener('abort', onAbort, { once: true })

  /** Most commands are over in the very turn in which they begin: those need no watching. */
  function ifItLasts(work: () => void): void {
    setImmediate(() => {
      if (!over) work()
    })
  }

  /** From loading on, the prompt must come back; before, the shell is rightly idle. */
  function watchIdle(): void {
    if (track.loaded === null || track.isAround) return
    if (idle !== null) return idle.stir()
    ifItLasts(() => {
      idle ??= createIdleWatch({
        shellPid: shell.pid,
        probe: shell.isSeen ? shell.probe : null,
        likely: () => track.to !== null || track.prompted !== null,
        replacedBy: shell.replacedBy,
        onIdle,
      })
    })
  }

  function onIdle(): void {
    // The kernel sees no difference between a prompt and an edited `read`.
    if (ownNeed('bash') !== null) return watchAgain()
    // It may as well wait for the rest of an incomplete line, and take the next command for it.
    const breakOff = track.incomplete && track.to === null && track.prompted === null
    if (!breakOff || breaks >= maxBreaks) {
      return finishAt(track.to?.offset ?? track.prompted?.at.offset ?? shell.head())
    }
    breaks += 1
    shell.input(interruptKey)
    watchAgain()
  }

  function watchAgain(): void {
    idle = null
    watchIdle()
  }

  function close(): boolean {
    if (over) return false
    over = true
    limit?.leave()
    idle?.leave()
    foreground?.stop()
    ladder.leave()
    watch.signal.removeEventListener('abort', onAbort)
    return true
  }

  function begin(usedMs: number): void {
    watch.onStatus('running')
    ifItLasts(() => watchRun(usedMs))
  }

  function watchRun(usedMs: number): void {
    if (track.isAround) return
    const { pid: shellPid, pts, isSeen } = shell
    foreground = isSeen ? followForeground({ shellPid, pts, onNeed, ownNeed }) : blindForeground()
    limit = createRunLimit({
      ms: limitMs(),
      counts: run.by === 'model' ? 'duration' : 'silence',
      usedMs,
      onNear: (leftMs) => watch.onStatus('ending', leftMs),
      onFar: () => watch.onStatus('running'),
      onReached() {
        shell.owned(output.soFar().then((said) => watch.onTimeout(said)))
        ladder.climb()
      },
    })
  }

  /** Whether it waits for a person cannot be seen on another machine; a shell was inside, and may take its time. */
  function limitMs(): number {
    const isForgiven = track.adoptedAt !== null || (!shell.isSeen && run.by === 'person')
    return isForgiven ? 0 : run.timeoutMs
  }

  /** A shell in it has been adopted: what is printed and what it waits for is that one's; until it ends. */
  function followAround(): void {
    if (!track.isAround) return begin(0)
    limit?.leave()
    idle?.leave()
    foreground?.stop()
    limit = null
    idle = null
    foreground = null
    watch.onStatus('running')
  }

  function ownNeed(name: string): Need {
    if (track.to !== null || track.prompted !== null) return null
    return readsItself({ name, replaced: shell.replacedBy(), command: run.command })
  }

  function onNeed(need: Need): void {
    if (over) return
    watch.onStatus(need ?? 'running')
    limit?.pause(need !== null)
    if (need !== null) shell.owned(sight.now().then((seen) => watch.onWaits(need, seen)))
  }

  async function send(bytes: Buffer | null, options: SendOptions): Promise<Sent> {
    const { signal, hidden = [] } = options
    const none = { head: '', tail: '', omittedChars: 0 }
    if (over || foreground === null)
      return { refused: 'nothing is running', state: 'ended', output: none }
    if ((await foreground.need()) === 'secret' && bytes !== null)
      return {
        refused: 'it reads a secret, which only the user types',
        state: 'secret',
        output: none,
      }
    const capture = createCapture()
    listener = capture
    if (bytes === null) shell.interrupt()
    else shell.input(bytes.toString('utf8'))
    foreground.stir()
    const need = await Promise.race([foreground.settled(signal), end.then(() => 'ended' as const)])
    listener = null
    if (need === 'ended') return { refused: null, state: need, output: capture.result() }
    const seen = await sight.since(capture, hidden)
    return { refused: null, state: need ?? 'running', output: seen }
  }

  function onMark(mark: Mark): void {
    if (over) return
    const before = track
    track = trackRun(track, mark)
    endings.note(mark)
    if (before.isAround !== track.isAround) followAround()
    watchIdle()
    if (before.from === null && track.from !== null) begin(0)
    if (mustBreakOff(before, mark)) shell.input(interruptKey)
    if (track.finished) finishAt(track.to?.offset ?? mark.offset)
    else if (uninjected !== null && mark.kind === 'prompt') finishUnstarted(uninjected)
  }

  function onData(offset: number, bytes: Buffer): void {
    if (over || track.from === null || track.to !== null || track.adoptedAt !== null) return
    limit?.stir()
    idle?.stir()
    foreground?.stir()
    listener?.feed(bytes.toString('utf8'))
    output.add(offset, bytes)
  }

  function finishUnstarted(why: string): void {
    if (close()) settle(endings.unstarted(why))
  }

  function finishAt(to: number): void {
    if (!close()) return
    const { from } = track
    const end = track.adoptedAt ?? to
    const ended =
      from === null ? endings.unexecuted() : endings.executed({ from: from.offset, to: end })
    ended.then(settle, (error: unknown) => settle(lostEnd(String(error))))
  }

  function onExit(exit: HolderExit): void {
    if (track.from === null) {
      return finishUnstarted('The shell ended before the command could be entered.')
    }
    if (!close()) return
    endings
      .withShell(track.from.offset, exit)
      .then(settle, (error: unknown) => settle(lostEnd(String(error))))
  }

  async function pickUp(missed: { marks: readonly Mark[]; head: number; now: number }) {
    for (const mark of missed.marks) {
      track = trackRun(track, mark)
      endings.note(mark)
    }
    watchIdle()
    const { from, to, adoptedAt } = track
    if (from !== null) {
      begin(missed.now - from.time)
      await output.catchUp({ from: from.offset, to: adoptedAt ?? to?.offset ?? missed.head })
    }
    if (track.finished) finishAt(track.to?.offset ?? missed.head)
    else if (track.incomplete && !over) shell.input(interruptKey)
  }

  return {
    onMark,
    onData,
    onExit,
    onUninjected(reason) {
      uninjected = `The command was not run: ${reason}.`
      shell.input(interruptKey)
      setTimeout(finishUnstarted, cleanMs, uninjected)
    },
    onLost() {
      if (close()) settle(lostEnd('The connection to the shell was lost.'))
    },
    onTyped() {
      limit?.stir()
      foreground?.stir()
    },
    keep: () => limit?.keep(),
    pickUp,
    send,
    end,
    lastSeq: () => (track.to ?? track.from)?.seq ?? null,
    isBack: () => !track.finished || !track.isOneLine,
    isHeard: () => track.to !== null || track.prompted !== null,
  }
}
