import { setTimeout as delay } from 'node:timers/promises'
import { maxLevel } from '../../protocol/holder-wire.ts'
import type { HolderExit } from '../../protocol/holder.ts'
import { ok, refused, type Result } from '../../protocol/result.ts'
import type { RunId } from '../../protocol/seq.ts'
import { findAdoptable, isBusyShell } from './find-adoptable.ts'
import { adoptables } from './integration/adoptable.ts'
import type { LevelDeps } from './level-deps.ts'
import type { Foreground } from './probe/classify.ts'
import { createProbe } from './probe/probe.ts'
import type { Mark } from './read-mark.ts'
import { createShellLevel, type ShellLevel } from './shell-level.ts'
import type { AdoptedShell, LevelReport } from './terminal.ts'
import { within } from './within.ts'

export interface ShellLevelsDeps extends Omit<LevelDeps, 'inside'> {
  /** A program has taken the whole screen. */
  isAlternate: () => Promise<boolean>
  /** Resolves when it is on disk. */
  onLevel: (report: LevelReport) => Promise<void>
}

/** The session's own shell, and those that were adopted inside it and inside each other. */
export interface ShellLevels {
  base: ShellLevel
  /** The innermost: what is typed is read there. */
  top: () => ShellLevel
  /** No shell is inside, nor one that has left and is not told of yet. */
  isAlone: () => boolean
  /** The one that knows this run; else the innermost. */
  of: (run: RunId) => ShellLevel
  adopt: () => Promise<Result<AdoptedShell, string>>
  settle: (run: RunId) => boolean
  hasRun: () => boolean
  /** Resolves when what runs in any of them has ended and is reported. */
  quiet: () => Promise<unknown>
  /** What was heard before this server was there. */
  catchUp: (marks: readonly Mark[]) => void
  onMark: (mark: Mark) => void
  onExit: (exit: HolderExit) => void
  onLost: () => void
  /** Nothing more will be heard. */
  onGone: () => void
}

/** A shell found gone is reported after the run that died with it, if someone resumes it by then. */
const reportDeadMs = 250
/** How long a shell that is at work is looked at again, and how often. */
const [busyMs, againMs] = [2_000, 50]
/** From its first word to its first prompt. */
const promptMs = 10_000

export function createShellLevels(deps: ShellLevelsDeps): ShellLevels {
  const { client, generation, onLevel } = deps
  const base = createShellLevel({ ...deps, inside }, { number: 0, pid: deps.basePid, ptyAt: 0 })
  let levels: readonly ShellLevel[] = [base]
  /** Gone, but a run of theirs may not be on disk. */
  let left: readonly ShellLevel[] = []
  /** What is being told, in order: which level it is about, and when it is on disk. */
  let news: readonly { number: number; told: Promise<void> }[] = []
  let isCatchingUp = false

  const top = () => levels.at(-1) ?? base
  const all = () => [...left, ...levels]

  function tell(number: number, work: () => Promise<void>): void {
    const before = news.at(-1)?.told ?? Promise.resolve()
    const failed = (error: unknown) => deps.diagnose('a shell inside could not be told of', error)
    const told = before
      .then(work)
      .catch(failed)
      .finally(() => {
        news = news.filter((each) => each.told !== told)
        forgetLeft()
      })
    news = [...news, { number, told }]
  }

  /** Null when nothing was inside: most runs need not wait for anything. */
  function inside(number: number): Promise<unknown> | null {
    const inner = all().filter((level) => level.number > number)
    const untold = news.filter((each) => each.number > number)
    if (inner.length + untold.length === 0) return null
    return Promise.all([
      ...inner.map((level) => level.quiet().then(afterReports)),
      ...untold.map((each) => each.told),
    ])
  }

  function enter(mark: Mark & { kind: 'integrated' }): void {
    if (mark.level !== levels.length) return
    const { level: number, pid, offset: ptyAt, isAway } = mark
    const place = { number, pid, ptyAt, isAway }
    levels = [...levels, createShellLevel({ ...deps, inside }, place)]
  }

  /** Once its first prompt says where it is. */
  function tellEntered(level: ShellLevel, ptyAt: number): void {
    tell(level.number, async () => {
      if (!(await level.ready)) return
      const { shell, pid, place } = level.state()
      const cwd = level.state().cwd ?? '/'
      const report = { generation, level: level.number, shell, pid, cwd, place, ptyAt }
      await onLevel({ type: 'shell-adopted', ...report })
    })
  }

  function leave({ level: number, time }: Mark): void {
    const gone = levels.slice(number).toReversed()
    levels = levels.slice(0, number)
    left = [...left, ...gone]
    for (const level of gone) level.onExit({ code: null, signal: null, time })
    const isLate = isCatchingUp
    for (const level of gone)
      tell(level.number, async () => {
        if (isLate) await delay(reportDeadMs)
        await level.quiet().then(afterReports)
        const { number, ptyAt } = level
        await onLevel({ type: 'shell-left', generation, level: number, ptyAt: ptyAt() })
      })
  }

  function forgetLeft(): void {
    const isTold = ({ number }: ShellLevel) => !news.some((each) => each.number === number)
    left = left.filter((level) => !level.isSettled() || !isTold(level))
  }

  function onMark(mark: Mark): void {
    const isEntered = mark.kind === 'integrated' && mark.place !== ''
    if (mark.kind === 'integrated') enter(mark)
    // Whose program a shell was adopted in has to know where, and when it is gone.
    if (mark.kind === 'integrated' || mark.kind === 'left') levels[mark.level - 1]?.onMark(mark)
    if (mark.kind === 'left') return leave(mark)
    const level = levels[mark.level]
    level?.onMark(mark)
    if (isEntered && level) tellEntered(level, mark.offset)
  }

  async function adopt(): Promise<Result<AdoptedShell, string>> {
    if (levels.length > maxLevel) return refused('There are too many shells inside each other.')
    const shell = top()
    const foreground = await lookAtRest()
    const found = findAdoptable({
      group: (await client.probe())?.foreground ?? null,
      foreground,
      isAlternate: await deps.isAlternate(),
      shell: { pid: shell.state().pid, isFree: shell.isFree() },
    })
    if (!found.ok) return found
    const { group, isCarried, isSame } = found.value
    const number = isSame ? shell.number : shell.number + 1
    const answer = await client.adopt({ ...adoptables, level: number, group, isCarried })
    if (!answer.ok) return refused(`The shell was not adopted: ${answer.reason}.`)
    return entered(number)
  }

  /** What is at work all the time is told as such. */
  async function lookAtRest(): Promise<Foreground> {
    const probe = createProbe({ shellPid: deps.basePid, pts: deps.pts })
    const end = performance.now() + busyMs
    let seen = await probe.look()
    while (isBusyShell(seen) && performance.now() < end) {
      await delay(againMs)
      seen = await probe.look()
    }
    return seen
  }

  async function entered(number: number): Promise<Result<AdoptedShell, string>> {
    const level = levels[number]
    const isThere = level !== undefined && (await within(promptMs, level.ready))
    if (!isThere || !(await level.ready)) return refused('The shell ended before its prompt.')
    await news.at(-1)?.told
    const { shell, place, cwd } = level.state()
    return ok({ shell, place, cwd: cwd ?? '/' })
  }

  return {
    base,
    top,
    isAlone: () => inside(0) === null,
    of: (run) => all().find((level) => level.knows(run)) ?? top(),
    adopt,
    settle(run) {
      const isKnown = all().some((level) => level.settle(run))
      forgetLeft()
      return isKnown
    },
    hasRun: () => all().some((level) => level.hasRun()),
    quiet: () => Promise.all([...all().map((level) => level.quiet()), news.at(-1)?.told]),
    catchUp(marks) {
      isCatchingUp = true
      for (const mark of marks) onMark(mark)
      isCatchingUp = false
      for (const level of levels) level.caughtUp()
    },
    onMark,
    onExit(exit) {
      for (const level of levels.toReversed()) level.onExit(exit)
    },
    onLost() {
      for (const level of levels.toReversed()) level.onLost()
    },
    onGone() {
      for (const level of levels) level.onGone()
    },
  }
}

/** Whoever followed a run has reported its end by then. */
function afterReports(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
