import type { Integration, ShellName } from '../protocol/shell.ts'
import { act, type Step, stay, andThen } from './effect.ts'
import { startIdle } from './idle.ts'
import type { Mark } from './mark.ts'
import { begin, pauseAround, watchIdle } from './run.ts'
import { enterAtPrompt, finishRun, press, stopRun } from './run-life.ts'
import type { Shell } from './state.ts'
import { isFinished, mustBreakOff, startTrack, trackMark } from './track.ts'
import { nothingTyped, typingHears } from './typing.ts'

/** When and where something is heard. */
export interface Moment {
  readonly now: number
  readonly head: number
  readonly stamp: number
}

const interruptKey = '\x03'

export function newShell(
  at: Pick<Shell, 'level' | 'pid' | 'ptyAt' | 'isByKeys' | 'isSeen'>,
): Shell {
  return {
    ...at,
    name: 'bash',
    phase: 'starting',
    integration: 'none',
    isUnheard: false,
    isMute: false,
    cwd: null,
    place: '',
    isTold: true,
    run: null,
    track: null,
    last: null,
    typing: nothingTyped,
    press: null,
    climb: null,
    replaced: null,
    execs: null,
    saysStart: false,
  }
}

/** A mark of this shell's own; or of one inside it that was adopted or has left. */
export function shellHears(shell: Shell, mark: Mark, moment: Moment): Step<Shell> {
  const heard = mark.level === shell.level ? watchExec(evolve(shell, mark), mark, moment) : shell
  const typed = typingHears(heard.typing, mark, shell.pid)
  const step = { state: { ...heard, typing: typed.state }, effects: typed.effects }
  return andThen(
    andThen(tellAdopted(step), (state) => follow(state, mark, moment)),
    (state) => enterAtPrompt(state, moment),
  )
}

function evolve(shell: Shell, mark: Mark): Shell {
  switch (mark.kind) {
    case 'integrated':
      return integrated(shell, mark)
    case 'output-start':
      return { ...shell, phase: 'running', saysStart: true }
    case 'prompt':
      if (mark.pid !== shell.pid) return shell
      return { ...shell, phase: 'prompt', isUnheard: false, isMute: false }
    case 'output-end':
      return mark.pid === shell.pid ? ended(shell, mark.cwd) : shell
    case 'prompt-start':
    case 'continuation':
    case 'loaded':
    case 'left':
      return shell
    default:
      return mark satisfies never
  }
}

/** A typed command may become another shell; only the kernel tells when that reads. */
function watchExec(shell: Shell, mark: Mark, { now }: Moment): Shell {
  if (mark.kind === 'output-start' && /\bexec\b/.test(mark.typed?.text ?? ''))
    return { ...shell, execs: startIdle(now) }
  const isOver = mark.kind === 'prompt' || mark.kind === 'output-end'
  return isOver && shell.execs !== null ? { ...shell, execs: null } : shell
}

/** An empty line is read and has an end, but the prompt was there. */
function ended(shell: Shell, cwd: string | null): Shell {
  const phase =
    shell.phase === 'prompt' || shell.phase === 'answered' ? shell.phase : ('returning' as const)
  return { ...shell, phase, cwd: cwd ?? shell.cwd }
}

/** Said once more, it is another program: it has not our files, whatever it was before. */
function integrated(shell: Shell, mark: Mark & { kind: 'integrated' }): Shell {
  const name = isShellName(mark.shell) ? mark.shell : shell.name
  const spoken = { ...shell, name, integration: quality(name, mark.version), place: mark.place }
  if (mark.place === '') return spoken
  // Adopted in the place of one that was at its prompt, its own is still to come.
  const phase = shell.phase === 'starting' ? shell.phase : 'returning'
  return { ...spoken, phase, isByKeys: true, ptyAt: mark.offset, isTold: false }
}

function isShellName(name: string): name is ShellName {
  return Object.hasOwn(fullSince, name)
}

/** Before these, bash and fish cannot say where a command's output starts, nor zsh what it reads. */
const fullSince: Readonly<Record<ShellName, number>> = { bash: 404, zsh: 501, fish: 301 }

function quality(shell: ShellName, version: string): Integration {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 100 + minor >= fullSince[shell] ? 'full' : 'basic'
}

/** Once its first prompt says where it is. */
function tellAdopted({ state: shell, effects }: Step<Shell>): Step<Shell> {
  if (shell.isTold || shell.phase !== 'prompt') return { state: shell, effects }
  const { level, name, pid, place, ptyAt } = shell
  const cwd = shell.cwd ?? '/'
  const told = { type: 'shell-adopted', level, shell: name, pid, cwd, place, ptyAt } as const
  return { state: { ...shell, isTold: true }, effects: [...effects, { type: 'tell', told }] }
}

/** The command that was loaded last, and the run that it is, if somebody here ordered it. */
function follow(shell: Shell, mark: Mark, moment: Moment): Step<Shell> {
  const { run } = shell
  const isAnothers = mark.kind === 'loaded' && mark.id !== shell.track?.id && run === null
  const before = isAnothers ? startTrack(mark.id, shell.pid) : shell.track
  if (before === null) return stay(shell)
  const track = trackMark(before, mark)
  if (run === null || run.awaits !== null) return stay({ ...shell, track })
  const watched = { ...shell, track, run: watchIdle(run, track, moment.now) }
  const isLoaded = before.loaded === null && track.loaded !== null
  const steps: readonly ((state: Shell) => Step<Shell>)[] = [
    (state) => (isLoaded ? stopLate(state, moment) : stay(state)),
    (state) => followAround(state, before.isAround, moment),
    (state) => beginAt(state, before.from === null, moment),
    (state) => endAt(state, mark, mustBreakOff(before, mark)),
  ]
  return steps.reduce(andThen<Shell>, stay<Shell>(watched))
}

/** It was to be taken back, and the shell was first. */
function stopLate(shell: Shell, moment: Moment): Step<Shell> {
  const takenBack = shell.run?.takenBack ?? null
  if (takenBack === null) return stay(shell)
  return takenBack === 'stop' ? stopRun(shell, moment) : press(shell, moment)
}

function followAround(shell: Shell, wasAround: boolean, { now }: Moment): Step<Shell> {
  const { run, track } = shell
  if (run === null || track === null || track.isAround === wasAround) return stay(shell)
  const step = track.isAround ? pauseAround(run) : begin(run, { shell, usedMs: 0, now })
  return { state: { ...shell, run: step.run }, effects: step.effects }
}

function beginAt(shell: Shell, wasUnbegun: boolean, { now }: Moment): Step<Shell> {
  const { run, track } = shell
  if (run === null || !wasUnbegun || track === null || track.from === null) return stay(shell)
  const step = begin(run, { shell, usedMs: 0, now })
  return { state: { ...shell, run: step.run }, effects: step.effects }
}

function endAt(shell: Shell, mark: Mark, breaksOff: boolean): Step<Shell> {
  const { run, track } = shell
  if (run === null || track === null) return stay(shell)
  const step = breaksOff ? act(shell, { type: 'type', text: interruptKey }) : stay(shell)
  if (isFinished(track, run.isOneLine))
    return andThen(step, (state) => finishRun(state, track.to?.offset ?? mark.offset))
  const { failed } = run
  if (failed === null || mark.kind !== 'prompt') return step
  return andThen(step, (state) => finishRun(state, { type: 'unstarted', ...failed }))
}
