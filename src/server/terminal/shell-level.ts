import { constants } from 'node:os'
import type { HolderExit, Uninjected } from '../../protocol/holder.ts'
import { ok } from '../../protocol/result.ts'
import type { RunId } from '../../protocol/seq.ts'
import { createPromptWait } from './await-prompt.ts'
import { enteredLine } from './entered-line.ts'
import { followRun, type RunFollower } from './follow-run.ts'
import { inputBytes } from './input-bytes.ts'
import { interruptForeground } from './interrupt.ts'
import type { LevelDeps, LevelPlace } from './level-deps.ts'
import { linkedCwd } from './linked-cwd.ts'
import type { Mark } from './read-mark.ts'
import { reasonAgainstCommand } from './reason-against-command.ts'
import { reportTyped } from './report-typed.ts'
import { notStarted } from './run-end.ts'
import type { RunShell } from './run-shell.ts'
import { isInTerminal } from './same-terminal.ts'
import { createShellImage } from './shell-image.ts'
import { evolveShell, type ShellState, startState } from './shell-state.ts'
import type { RunWatch, Terminal, TerminalRun, TerminalRunEnd } from './terminal.ts'

/** One of the shells that are inside each other, and the one run that may go on in it. */
export interface ShellLevel extends Pick<
  Terminal,
  'run' | 'resume' | 'send' | 'interrupt' | 'keep'
> {
  readonly number: number
  /** Where it spoke first, in the byte log. */
  ptyAt: () => number
  state: () => ShellState
  cwd: () => string | null
  /** At its first prompt; false when it ended before. */
  ready: Promise<boolean>
  /** The kernel of this machine sees what runs in it. */
  isSeen: () => boolean
  /** It waits for a command, and it said so itself. */
  isFree: () => boolean
  /** Its prompt is there, or comes before somebody gives up. */
  isBack: (signal: AbortSignal) => Promise<boolean>
  /** A command of this run was brought into it, as far as the marks tell. */
  knows: (run: RunId) => boolean
  /** The run's end is on disk. */
  settle: (run: RunId) => boolean
  /** A command was run in it. */
  hasRun: () => boolean
  /** The end of the last one is on disk. */
  isSettled: () => boolean
  /** A person typed. */
  typed: () => void
  /** All marks that were there at the beginning have been heard. */
  caughtUp: () => void
  /** Resolves when what runs in it has ended and is reported. */
  quiet: () => Promise<unknown>
  onMark: (mark: Mark) => void
  onData: (offset: number, bytes: Buffer) => void
  onUninjected: (uninjected: Uninjected) => void
  onExit: (exit: HolderExit) => void
  onLost: () => void
  /** Nothing more will be heard. */
  onGone: () => void
}

const noPrompt = 'the prompt before it did not come back, or it was stopped'
const [interruptKey, quitKey] = ['\x03', '\x1c']
const { SIGTERM, SIGKILL } = constants.signals

export function createShellLevel(
  deps: LevelDeps,
  { number, pid, ptyAt, isAway = false }: LevelPlace,
): ShellLevel {
  const { client, pts, folder, draw, screen, head, kept, found } = deps
  const heard: Mark[] = []
  const isSeen = number === 0 || (!isAway && isInTerminal(pid, deps.basePid))
  let state = startState(pid)
  let current: { id: RunId; follower: RunFollower } | null = null
  let last: { id: RunId; seq: number | null } | null = null
  let settled: RunId | null = null
  let exit: HolderExit | null = null
  /** Nothing more will be heard. */
  let isGone = false
  /** A command waits for the prompt. */
  let isComing = false
  /** It is stopped as soon as it has begun. */
  let isUnwanted = false
  /** The last run ended without a word of the shell: it may be another program by now. */
  let isMute = false
  let isByKeys = number > 0
  let spokeAt = ptyAt
  let onReady: (ready: boolean) => void = () => {}
  const ready = new Promise<boolean>((resolve) => {
    onReady = resolve
  })

  const image = createShellImage(pid)
  const cwd = () => (isSeen ? linkedCwd(pid) : null) ?? state.cwd
  const shell: RunShell = {
    pid,
    name: () => state.shell,
    isSeen,
    pts,
    folder,
    cwd,
    kept,
    draw,
    screen,
    head,
    sync: client.sync,
    probe: () => client.probe(number === 0 ? undefined : pid),
    replacedBy: () => (isSeen ? image.replacedBy() : null),
    input: (text) => client.input(Buffer.from(text)),
    signal,
    interrupt,
    restart: deps.restart,
    owned: (work) =>
      void work.catch((error: unknown) => deps.diagnose('a run could not be told of', error)),
  }
  const promptWait = createPromptWait(shell)
  const typed = reportTyped({
    ...deps,
    shellPid: pid,
    level: number,
    inside: () => deps.inside(number),
  })

  const isOver = () => exit !== null || isGone || deps.isOver()
  // On its way to the prompt the shell itself has the terminal, and no signal is meant for that.
  const isRunning = () => current !== null || state.phase === 'running'
  /** What goes on in the shell, whoever began it. */
  const running = () => current ?? typed.current()

  function interrupt(): void {
    if (isComing) {
      isUnwanted = true
      return
    }
    const run = running()
    const isSame = () => run !== null && running() === run
    if (isSeen) interruptForeground({ client, pts, shellPid: pid, isRunning: isSame })
    else shell.input(interruptKey)
  }

  /** What carries the terminal elsewhere must not get it; a key is all that reaches what runs there. */
  function signal(number: number): void {
    if (isSeen) client.signal('foreground', number)
    else shell.input(number === SIGKILL ? quitKey : interruptKey)
  }

  async function follow(run: TerminalRun, follower: RunFollower): Promise<TerminalRunEnd> {
    current = { id: run.id, follower }
    const end = await follower.end
    const inside = deps.inside(number)
    if (inside !== null) await inside
    current = null
    last = { id: run.id, seq: follower.lastSeq() }
    if (end.outcome === 'ended') {
      if (follower.isBack()) state = { ...state, phase: 'prompt' }
      isMute = !follower.isHeard()
    }
    return end
  }

  async function run(run: TerminalRun, watch: RunWatch): Promise<TerminalRunEnd> {
    const no = reasonNotToRun(run.command, watch)
    if (no !== null) return notStarted(`The command was not run: ${no}.`)
    // At the prompt without a pause: a server that leaves now has it in the shell.
    if (state.phase !== 'prompt') {
      isComing = true
      isUnwanted = false
      const isThere = await isBack(watch.signal)
      isComing = false
      if (!isThere) return notStarted(`The command was not run: ${noPrompt}.`)
    }
    heard.length = 0
    last = null
    const { line, asFile } = enteredLine(run.command, { shell: state.shell, isByKeys })
    client.inject({
      id: run.id,
      command: Buffer.from(line),
      model: run.by === 'model',
      asFile,
      private: run.private === true,
      level: number,
    })
    // While the holder works; what it says arrives in a later turn.
    const end = follow(run, followRun(shell, run, watch))
    if (isUnwanted) interrupt()
    isUnwanted = false
    return end
  }

  /** The last command's end was said before the prompt. */
  async function isBack(signal: AbortSignal): Promise<boolean> {
    return (state.phase === 'prompt' || (await promptWait.wait(signal))) && !isOver()
  }

  function reasonNotToRun(command: string, watch: RunWatch): string | null {
    if (isOver()) return 'the shell has ended'
    const mayRun = state.phase === 'prompt' || state.phase === 'returning'
    if (current !== null || isComing || !mayRun) return 'the terminal is busy'
    if (watch.signal.aborted) return 'it was stopped before it began'
    return reasonAgainstCommand(command, isByKeys)
  }

  const knows = (id: RunId) => heard.some((mark) => mark.kind === 'loaded' && mark.id === id)

  async function resume(run: TerminalRun, watch: RunWatch): Promise<TerminalRunEnd> {
    // The holder enters a command as a whole or not at all, so the line editor is clean.
    if (!knows(run.id) && found.injecting !== run.id)
      return notStarted('The command was not run: it had not reached the shell.')
    const marks = [...heard]
    const follower = followRun(shell, run, watch)
    const end = follow(run, follower)
    await follower.pickUp({ marks, head: head(), now: found.now })
    if (watch.signal.aborted) shell.interrupt()
    if (exit !== null) follower.onExit(exit)
    return end
  }

  return {
    number,
    ptyAt: () => spokeAt,
    state: () => state,
    cwd,
    ready,
    isSeen: () => isSeen,
    isFree: () => current === null && state.phase === 'prompt' && !isMute && !state.isUnheard,
    isBack,
    knows,
    run,
    resume,
    settle(id) {
      if (last?.id !== id) return false
      // The end mark itself stays: it says where the shell is.
      if (last.seq !== null) client.acknowledge(last.seq - 1, number)
      settled = id
      return true
    },
    hasRun: () => last !== null,
    isSettled: () => current === null && (last === null || last.id === settled),
    async send(input, options) {
      const none = { head: '', tail: '', omittedChars: 0 }
      const bytes = input.type === 'interrupt' ? ok(null) : inputBytes(input)
      if (!bytes.ok) return { refused: bytes.error, state: 'running', output: none }
      const sent = await current?.follower.send(bytes.value, options)
      const isTheirs = typed.current() !== null
      const why = isTheirs ? 'the user runs a program of their own' : 'nothing is running'
      return sent ?? { refused: why, state: isTheirs ? 'running' : 'ended', output: none }
    },
    async interrupt(which) {
      if (which === 'int') return interrupt()
      if (!isRunning()) return
      signal(which === 'term' ? SIGTERM : SIGKILL)
    },
    keep: () => current?.follower.keep(),
    typed: () => current?.follower.onTyped(),
    caughtUp: () => typed.caughtUp(state.phase === 'prompt'),
    quiet: () => Promise.all([current?.follower.end, typed.told()]),
    onMark(mark) {
      if (mark.level === number) {
        state = evolveShell(state, mark)
        if (mark.kind === 'prompt') isMute = false
        // Said once more, it is another program: it has not our files, whatever it was before.
        if (mark.kind === 'integrated' && mark.place !== '') {
          isByKeys = true
          spokeAt = mark.offset
        }
        if (state.phase === 'prompt') {
          image.see()
          onReady(true)
          promptWait.said()
        }
      }
      typed.onMark(mark)
      if (current === null) heard.push(mark)
      else current.follower.onMark(mark)
    },
    onData(offset, bytes) {
      if (current === null) typed.onData(bytes)
      else current.follower.onData(offset, bytes)
    },
    onUninjected({ id, reason, isUnheard }) {
      if (isUnheard === true) state = { ...state, isUnheard }
      if (current?.id === id) current.follower.onUninjected(reason)
    },
    onExit(end) {
      exit = end
      onReady(false)
      promptWait.said()
      current?.follower.onExit(end)
    },
    onLost: () => current?.follower.onLost(),
    onGone() {
      isGone = true
      onReady(false)
      promptWait.said()
    },
  }
}
