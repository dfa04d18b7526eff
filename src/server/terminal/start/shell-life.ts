import { endStrays, shellMark } from './end-strays.ts'
import { mkdirSync } from 'node:fs'
import { ok, refused, type Result } from '../../../base/result.ts'
import { endHolder, endMs, callHolder } from '../holder/end-holder.ts'
import { startHolder, findHolder } from '../holder/start-holder.ts'
import type { OwnedLiveView } from '../live-view/live-view.ts'
import type { ShellSession } from '../shell/session.ts'
import type { ShellInfo, TerminalLife } from '../terminal.ts'
import type { TerminalOptions } from '../terminal-options.ts'
import { within } from '../within.ts'
import { awaitFirstPrompt, endedSentence, followLate } from './first-prompt.ts'
import { prepareShell } from './prepare-shell.ts'

/** A start file that takes longer may wait for something: for a person, or for what will not come. */
const defaultStartMs = 10_000
/** A few lines are written to the log; a disk that is full must not keep a session closed. */
const toldMs = 2_000

/** The shell that is there now, if there is one. */
export interface CurrentShell {
  shell: ShellSession | null
}

export interface ShellLifeDeps {
  options: TerminalOptions
  liveView: OwnedLiveView
  logFolder: string
  current: CurrentShell
  /** Connects to the holder behind this socket. */
  open(socket: string): Promise<ShellSession>
}

/** The shells of a terminal, one after the other: started or found again, given away, left or ended. */
export function createShellLife(deps: ShellLifeDeps): TerminalLife {
  const { options, liveView, current } = deps
  /** The start that is under way. A start that is overtaken by an end ends itself, by a leaving it leaves. */
  let starting: Promise<unknown> = Promise.resolve()
  let ends = 0
  let leaves = 0
  /** The shell that is on its way to another session: its holder is in this folder until then. */
  let giving: Promise<void> = Promise.resolve()

  function watchOvertaking(): Overtaking {
    const [endsBefore, leavesBefore] = [ends, leaves]
    return { isEnded: () => ends !== endsBefore, isLeft: () => leaves !== leavesBefore }
  }

  return {
    start(where) {
      const started = start(where, { ...deps, ...watchOvertaking(), given: () => giving })
      starting = started.catch(() => null)
      return started
    },
    attach: (generation, from) => attach(generation, from, { ...deps, ...watchOvertaking() }),
    async offer() {
      const offered = current.shell
      if (offered === null || liveView.state().phase === 'exited') return null
      if (!(await offered.sync())) return 'silent'
      const isBusy = !(await offered.isAtRest())
      if (!isBusy) await liveView.putAside()
      if (!(await offered.sync())) return 'silent'
      const { shell, integration } = offered.info()
      return { shell, integration, ptyAt: offered.head(), isBusy }
    },
    give(folder) {
      const given = current.shell
      current.shell = null
      liveView.moved()
      giving = given?.give({ folder, generation: 1 }) ?? giving
      return giving
    },
    showMoved: liveView.moved,
    async detach() {
      leaves += 1
      liveView.close()
      current.shell?.leave()
      current.shell = null
    },
    async close() {
      ends += 1
      const mark = current.shell && (await shellMark(current.shell.info().pid))
      const isGone = (await current.shell?.end()) ?? true
      current.shell = null
      await endHolder(options.folder, { isAsked: !isGone })
      if (mark !== null) await endStrays(mark)
      await within(endMs, starting)
    },
  }
}

/** Says what became of the terminal since a start or an attach began. */
interface Overtaking {
  isEnded(): boolean
  isLeft(): boolean
}

interface StartDeps extends ShellLifeDeps, Overtaking {
  given(): Promise<void>
}

async function start(
  where: { generation: number; cwd: string },
  { options, liveView, logFolder, current, open, isEnded, isLeft, given }: StartDeps,
): Promise<Result<ShellInfo, string>> {
  const { folder } = options
  const prepared = await prepareShell(options, where)
  if (!prepared.ok) return prepared
  liveView.starting()
  await given()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Two holders must never write one byte log.
  current.shell?.leave()
  current.shell = null
  await endHolder(folder)
  const started = await startHolder(options.holderEntry, prepared.value.start)
  if (!started.ok) return started
  if (isEnded()) {
    await endHolder(folder)
    return refused('The shell was ended while it started.')
  }
  const opened = await open(started.value)
  const ptyFrom = opened.head()
  const { shell, notice: elsewhere } = prepared.value
  const limitMs = options.startMs ?? defaultStartMs
  const first = await awaitFirstPrompt(opened, { limitMs, shell })
  if (first.kind === 'ended') {
    const sentence = await endedSentence(opened, logFolder)
    opened.leave()
    await endHolder(folder)
    return refused(sentence)
  }
  if (isLeft()) {
    opened.leave()
    return refused(left)
  }
  current.shell = opened
  const isLate = first.kind === 'late'
  if (isLate) follow(opened, shell, options)
  const notice = [elsewhere, isLate ? first.notice : null].filter((said) => said !== null)
  return ok({
    ...opened.info(),
    ...(isLate && { shell, integration: 'none' as const }),
    ptyFrom,
    ...(notice.length > 0 && { notice: notice.join(' ') }),
  })
}

async function attach(
  generation: number,
  from: Parameters<TerminalLife['attach']>[1],
  { options, current, open, isLeft }: ShellLifeDeps & Overtaking,
): Promise<ShellInfo | null> {
  const { folder } = options
  const found = findHolder(folder)
  const holder = found ?? (from ? await callHolder(from, { folder, generation }) : null)
  if (holder === null || holder.generation !== generation) return null
  const shell = await open(holder.socket).catch((error: unknown) => {
    options.diagnose?.('a shell’s holder could not be connected to', error)
    return null
  })
  if (isLeft()) shell?.leave()
  current.shell = isLeft() ? null : shell
  if (shell === null) return null
  // The next order comes after the typed runs, in the log as in the shell.
  await within(toldMs, shell.caughtUp())
  if (current.shell === null) return null
  if (!shell.isReady()) follow(shell, shell.info().shell, options)
  return shell.info()
}

const left = 'The shell was left while it started.'

function follow(
  shell: ShellSession,
  name: ShellInfo['shell'],
  { diagnose }: Pick<TerminalOptions, 'diagnose'>,
): void {
  followLate(shell, name).catch((error: unknown) =>
    diagnose?.('a shell that starts late could not be followed', error),
  )
}
