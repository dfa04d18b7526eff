import { inputRefusals } from '../live-view/live-view.ts'
import { nothing } from '../../../base/text.ts'
import type { Foreground as SeenForeground, Need } from '../../../terminal/shell/needs.ts'
import type { Range } from '../byte-log/read-byte-log.ts'
import { createWorkMeter } from '../probe/work-meter.ts'
import type { RunWatch, SendOptions, Sent, TerminalRunEnd } from '../terminal.ts'
import { catchUp } from './catch-up.ts'
import { type DrawPart, createRunScreen, type DrawScreen } from './draw-output.ts'
import { type EndedRun, endOfRun, type EndOfRunDeps } from './end-of-run.ts'
import { blindForeground, followForeground, type RunForeground } from './foreground.ts'
import { type Capture, createCapture, createRunOutput, type RunOutput } from './output.ts'
import type { TaskLimit } from './task-limit.ts'
import { lostEnd } from './unexecuted.ts'

export interface WatchedRunDeps extends Omit<EndOfRunDeps, 'output' | 'notes'>, ProgramDeps {
  draw: DrawPart | null
  screen: DrawScreen | null
  /** Output from before this server came; null when there is none. */
  missed: Range | null
  /** The offset at which its output begins; null before. */
  from(): number | null
  diagnose(error: unknown): void
  type(text: string): void
  interrupt(): void
}

export type WatchedRun = ReturnType<typeof watchRun>

/** The side of a run that has to do with the world: its output, its program, and those who watch it. */
export function watchRun(watch: RunWatch, deps: WatchedRunDeps) {
  let resolve: (end: TerminalRunEnd) => void = () => {}
  let listener: Capture | null = null
  let work: ReturnType<typeof createWorkMeter> | null = null
  const refusedBefore = deps.kept().refusedBytes
  const end = new Promise<TerminalRunEnd>((done) => {
    resolve = done
  })
  const output = openOutput(watch, deps)
  const program = followProgram(deps)
  const screen = () => createRunScreen({ output, from: deps.from, screen: deps.screen })

  /** Work that nobody waits for has an owner, who tells if it fails. */
  function owned(work: Promise<void>): void {
    work.catch(deps.diagnose)
  }

  /** Sentences about what one would not see in the output. */
  function notes(): readonly string[] {
    const refused = deps.kept().refusedBytes - refusedBefore
    const full = `The disk was full: ${refused} bytes of the output were not kept.`
    return [refused > 0 ? full : null, deps.tasks?.end() ?? null].filter((note) => note !== null)
  }

  function listen(next: Capture | null): void {
    listener = next
  }

  return {
    watch,
    end,
    /** Resolves with a function that gives the end to whoever waits for it. */
    async finish(ended: EndedRun): Promise<() => void> {
      program.end()
      const said = notes()
      const found = await endOfRun(ended, { ...deps, output, notes: said }).catch(
        (error: unknown) => lostEnd(String(error)),
      )
      return () => resolve(found)
    },
    onData(offset: number, bytes: Buffer): void {
      if (program.isOver()) return
      program.stir()
      listener?.feed(bytes.toString('utf8'))
      output.add(offset, bytes)
    },
    /** Its output begins: the kernel is asked what the program needs. */
    begin: program.begin,
    pause: program.pause,
    onTyped: program.stir,
    onWaits: (need: NonNullable<Need>) =>
      owned(
        screen()
          .now()
          .then((seen) => watch.onWaits(need, seen)),
      ),
    /** Says whether the program has computed since this was last asked. */
    hasWorked: () => (work ??= createWorkMeter({ shellPid: deps.shell.pid })).hasWorked(),
    onTimeout: () => owned(output.soFar().then((said) => watch.onTimeout(said))),
    /** Types into the program, and tells what came of it. */
    send: (text: string | null, options: SendOptions) =>
      send({ text, ...options }, { ...deps, foreground: program.look(), end, listen, screen }),
  }
}

function openOutput(watch: RunWatch, { missed, ...deps }: WatchedRunDeps): RunOutput {
  const output = createRunOutput({
    ...deps,
    onOutput: (text, skipped) => watch.onOutput(text, skipped),
  })
  return missed === null ? output : catchUp(output, { ...deps, range: missed })
}

interface ProgramDeps extends Pick<EndOfRunDeps, 'shell'> {
  pts: string
  /** Null where nothing limits the shell, or the kernel does not see what runs. */
  tasks: TaskLimit | null
  needOf(foreground: SeenForeground): Need
  replaced(): SeenForeground['replaced']
  onForeground(foreground: SeenForeground): void
}

/** Most commands are over by then: those need no watching. */
const lastsMs = 50

/** Follows the program of a run from its begin to its end, but for when a shell inside it has the terminal. */
function followProgram({ shell, pts, tasks, needOf, replaced, onForeground }: ProgramDeps) {
  let phase: 'paused' | 'running' | 'over' = 'paused'
  let foreground: RunForeground | null = null
  let timer: NodeJS.Timeout | undefined

  function look(): RunForeground | null {
    if (phase !== 'running' || foreground !== null) return foreground
    tasks?.begin()
    foreground = shell.isSeen
      ? followForeground({ shellPid: shell.pid, pts, needOf, replaced, onForeground })
      : blindForeground()
    return foreground
  }

  function pause(): void {
    phase = phase === 'over' ? phase : 'paused'
    clearTimeout(timer)
    foreground?.stop()
    foreground = null
  }

  return {
    begin() {
      phase = phase === 'over' ? phase : 'running'
      timer = setTimeout(look, lastsMs)
    },
    pause,
    end() {
      phase = 'over'
      pause()
    },
    isOver: () => phase === 'over',
    stir: () => foreground?.stir(),
    look,
  }
}

interface SendDeps extends Pick<WatchedRunDeps, 'type' | 'interrupt'> {
  foreground: RunForeground | null
  end: Promise<TerminalRunEnd>
  listen(capture: Capture | null): void
  screen(): ReturnType<typeof createRunScreen>
}

async function send(
  { text, signal, hidden = [] }: SendOptions & { text: string | null },
  { foreground, end, listen, screen, ...deps }: SendDeps,
): Promise<Sent> {
  if (foreground === null) return { refused: 'nothing is running', state: 'ended', output: nothing }
  if ((await foreground.need()) === 'secret' && text !== null)
    return { refused: inputRefusals.secret, state: 'secret', output: nothing }
  const capture = createCapture()
  listen(capture)
  if (text === null) deps.interrupt()
  else deps.type(text)
  foreground.stir()
  const ended = end.then(() => 'ended' as const)
  const need = await Promise.race([foreground.settled(signal), ended])
  listen(null)
  if (need === 'ended') return { refused: null, state: need, output: capture.result() }
  const seen = await screen().since(capture, hidden)
  return { refused: null, state: need ?? 'running', output: seen }
}
