import type { Foreground as SeenForeground } from '../../../terminal/needs.ts'
import type { Need } from '../../../terminal/reads-itself.ts'
import { nothing } from '../../../session/record-text.ts'
import { type Capture, createCapture } from '../capture.ts'
import type { DrawPart } from '../draw-output.ts'
import { readsSecret } from '../lane/no-input.ts'
import { createWorkMeter } from '../probe/work.ts'
import { lostEnd } from '../run-end.ts'
import { createRunOutput, type RunOutput } from '../run-output.ts'
import { createRunSight, type DrawScreen } from '../run-sight.ts'
import type { TaskLimit } from '../task-limit.ts'
import type { RunWatch, SendOptions, Sent, TerminalRun, TerminalRunEnd } from '../terminal.ts'
import { blindForeground, followForeground, type RunForeground } from './run-foreground.ts'
import { type EndedRun, endOfRun, type EndOfRunDeps } from './end-of-run.ts'

export interface WatchedRunDeps extends Omit<EndOfRunDeps, 'output' | 'notes'> {
  pts: string
  /** Null where the kernel does not see what runs. */
  tasks: TaskLimit | null
  draw: DrawPart | null
  screen: DrawScreen | null
  /** Where its output begins; null before. */
  from(): number | null
  needOf(foreground: SeenForeground): Need
  replaced(): SeenForeground['replaced']
  onForeground(foreground: SeenForeground): void
  diagnose(error: unknown): void
  type(text: string): void
  interrupt(): void
}

/** The side of a run that has to do with the world: its output, its program, and those who watch it. */
export interface WatchedRun {
  readonly watch: RunWatch
  readonly end: Promise<TerminalRunEnd>
  /** Resolves with what gives the end to whoever waits for it. */
  finish(ended: EndedRun): Promise<() => void>
  onData(offset: number, bytes: Buffer): void
  /** Output from before this server came. */
  catchUp(range: { from: number; to: number }): void
  /** Its output begins: the kernel is asked what the program needs. */
  begin(): void
  pause(): void
  onTyped(): void
  onWaits(need: NonNullable<Need>): void
  onTimeout(): void
  /** Whether the program has computed since this was last asked. */
  hasWorked(): boolean
  /** Types into the program, and tells what came of it. */
  send(text: string | null, options: SendOptions): Promise<Sent>
}

/** Most commands are over by then: those need no watching. */
const lastsMs = 50

export function watchRun(watch: RunWatch, deps: WatchedRunDeps): WatchedRun {
  const { shell, pts, from } = deps
  let resolve: (end: TerminalRunEnd) => void = () => {}
  let foreground: RunForeground | null = null
  let listener: Capture | null = null
  let isOver = false
  let isWatching = false
  let timer: NodeJS.Timeout | undefined
  const refusedBefore = deps.kept().refusedBytes
  const end = new Promise<TerminalRunEnd>((done) => {
    resolve = done
  })
  const output: RunOutput = createRunOutput({
    folder: deps.folder,
    onOutput: (text) => watch.onOutput(text),
    sync: deps.sync,
    draw: deps.draw,
  })
  const work = createWorkMeter({ shellPid: shell.pid })
  const sight = () => createRunSight({ output, from, screen: deps.screen })

  /** Work that nobody waits for has an owner, who tells if it fails. */
  function owned(work: Promise<void>): void {
    work.catch(deps.diagnose)
  }

  function look(): void {
    if (isOver || !isWatching || foreground !== null) return
    const { needOf, replaced, onForeground } = deps
    deps.tasks?.begin()
    foreground = shell.isSeen
      ? followForeground({ shellPid: shell.pid, pts, needOf, replaced, onForeground })
      : blindForeground()
  }

  /** Sentences about what one would not see in the output. */
  function notes(): readonly string[] {
    const refused = deps.kept().refusedBytes - refusedBefore
    const full = `The disk was full: ${refused} bytes of the output were not kept.`
    return [refused > 0 ? full : null, deps.tasks?.end() ?? null].filter((note) => note !== null)
  }

  function pause(): void {
    isWatching = false
    clearTimeout(timer)
    foreground?.stop()
    foreground = null
  }

  return {
    watch,
    end,
    async finish(ended) {
      isOver = true
      pause()
      const said = notes()
      const found = await endOfRun(ended, { ...deps, output, notes: said }).catch(
        (error: unknown) => lostEnd(String(error)),
      )
      return () => resolve(found)
    },
    onData(offset, bytes) {
      if (isOver) return
      foreground?.stir()
      listener?.feed(bytes.toString('utf8'))
      output.add(offset, bytes)
    },
    // What could not be read now is read at the end.
    catchUp: (range) => void output.catchUp(range).catch(() => undefined),
    begin() {
      isWatching = true
      timer = setTimeout(look, lastsMs)
    },
    pause,
    onTyped: () => foreground?.stir(),
    onWaits: (need) =>
      owned(
        sight()
          .now()
          .then((seen) => watch.onWaits(need, seen)),
      ),
    hasWorked: work.hasWorked,
    onTimeout: () => owned(output.soFar().then((said) => watch.onTimeout(said))),
    async send(text, { signal, hidden = [] }) {
      look()
      if (isOver || foreground === null)
        return { refused: 'nothing is running', state: 'ended', output: nothing }
      if ((await foreground.need()) === 'secret' && text !== null)
        return { refused: readsSecret, state: 'secret', output: nothing }
      const capture = createCapture()
      listener = capture
      if (text === null) deps.interrupt()
      else deps.type(text)
      foreground.stir()
      const ended = end.then(() => 'ended' as const)
      const need = await Promise.race([foreground.settled(signal), ended])
      listener = null
      if (need === 'ended') return { refused: null, state: need, output: capture.result() }
      const seen = await sight().since(capture, hidden)
      return { refused: null, state: need ?? 'running', output: seen }
    },
  }
}

/** What the fold has to know of a run. */
export function orderOf({
  id,
  command,
  by,
  private: isPrivate = false,
  timeoutMs,
  stamp = null,
}: TerminalRun) {
  return { id, command, by, isPrivate, timeoutMs, stamp }
}
