import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ok, refused, type Result } from '../../protocol/result.ts'
import { whole } from '../../session/clip.ts'
import { readStretch } from './byte-log-reader.ts'
import { callHolder, type FormerPlace } from './call-holder.ts'
import { endHolder, endMs } from './end-holder.ts'
import { connectHolder } from './holder-client.ts'
import { findHolder } from './holder-file.ts'
import { startHolder } from './holder-process.ts'
import { awaitFirstPrompt, endedSentence, followLate } from './first-prompt.ts'
import { isTaken } from './lane/no-input.ts'
import { createLane } from './lane/create-lane.ts'
import { noEmulator } from './lane/shared-emulator.ts'
import { readRecording } from './recording.ts'
import { lostEnd, notStarted } from './run-end.ts'
import type { DrawScreen } from './run-sight.ts'
import type { ShellSession } from './shell/session.ts'
import { createShellSession } from './shell/shell-session.ts'
import { firstSize, prepareShell } from './shell-start.ts'
import type { OfferedShell, ShellInfo, Terminal } from './terminal.ts'
import type { TerminalOptions } from './terminal-options.ts'
import { within } from './within.ts'

const noOutput = { head: '', tail: '', omittedChars: 0 }
const taken = { refused: isTaken, state: 'running' as const }
/** A start file that takes longer may wait for something: for a person, or for what will not come. */
const defaultStartMs = 10_000
/** A few lines are written to the log; a disk that is full must not keep a session closed. */
const toldMs = 2_000

export function createTerminal(options: TerminalOptions): Terminal {
  const logFolder = join(options.folder, 'pty')
  const emulator = options.emulator ?? noEmulator
  const lane = createLane({ folder: logFolder, size: firstSize, emulator })
  const draw =
    options.emulator === undefined
      ? null
      : (bytes: Buffer) => emulator.render(bytes, { cols: lane.state().size.cols })
  const screen: DrawScreen | null =
    options.emulator === undefined
      ? null
      : (from, hidden) => lane.look({ lines: lane.state().size.rows, ansi: false, hidden, from })
  let session: ShellSession | null = null
  /** The start that is under way, and how often the shell was ended: a start that is overtaken by an end ends itself. */
  let starting: Promise<unknown> = Promise.resolve()
  /** The shell that is on its way to another session: its holder is in this folder until then. */
  let giving: Promise<void> = Promise.resolve()
  let ends = 0

  function open(socket: string): Promise<ShellSession> {
    return connectHolder(socket, (hello, client) => {
      const { session, events } = createShellSession({
        hello,
        client,
        folder: logFolder,
        draw,
        screen,
        isAlternate: async () =>
          options.emulator !== undefined &&
          (await lane.look({ lines: 1, ansi: false, hidden: [] })).isAlternate,
        onEnd: options.onShellEnd.bind(options),
        onTyped: async (report) => options.onTyped?.(report),
        onLevel: async (report) => options.onLevel?.(report),
        onChange: lane.changed,
        diagnose: (error) =>
          options.diagnose?.('what happened in the terminal could not be told', error),
      })
      return { events: lane.attach({ hello, client, shell: session }, events), value: session }
    })
  }

  async function start(where: {
    generation: number
    cwd: string
  }): Promise<Result<ShellInfo, string>> {
    const endsBefore = ends
    const prepared = await prepareShell(options, where)
    if (!prepared.ok) return prepared
    lane.starting()
    await giving
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
    // Two holders must never write one byte log.
    session?.leave()
    session = null
    await endHolder(options.folder)
    const started = await startHolder(options.holderEntry, prepared.value.start)
    if (!started.ok) return started
    if (ends !== endsBefore) {
      await endHolder(options.folder)
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
      await endHolder(options.folder)
      return refused(sentence)
    }
    session = opened
    const isLate = first.kind === 'late'
    if (isLate) void followLate(opened, shell)
    const notice = [elsewhere, isLate ? first.notice : null].filter((said) => said !== null)
    return ok({
      ...opened.info(),
      ...(isLate && { shell, integration: 'none' as const }),
      ptyFrom,
      ...(notice.length > 0 && { notice: notice.join(' ') }),
    })
  }

  async function attach(generation: number, from?: FormerPlace): Promise<ShellInfo | null> {
    const { folder } = options
    const found = findHolder(folder)
    const holder = found ?? (from ? await callHolder(from, { folder, generation }) : null)
    if (holder === null || holder.generation !== generation) return null
    session = await open(holder.socket).catch(() => null)
    // What is asked for next comes after it, in the log as in the shell.
    if (session !== null) await within(toldMs, session.caughtUp())
    if (session?.isReady() === false) void followLate(session, session.info().shell)
    return session?.info() ?? null
  }

  async function offer(): Promise<OfferedShell | 'silent' | null> {
    const offered = session
    if (offered === null || lane.state().phase === 'exited') return null
    if (!(await offered.sync())) return 'silent'
    const isBusy = !(await offered.isAtRest())
    if (!isBusy) await lane.putAside()
    if (!(await offered.sync())) return 'silent'
    const { shell, integration } = offered.info()
    return { shell, integration, ptyAt: offered.head(), isBusy }
  }

  function give(folder: string): Promise<void> {
    const given = session
    session = null
    lane.moved()
    giving = given?.give({ folder, generation: 1 }) ?? giving
    return giving
  }

  return {
    lane,
    start(where) {
      const started = start(where)
      starting = started.catch(() => null)
      return started
    },
    attach,
    offer,
    give,
    showMoved: lane.moved,
    run: async (run, watch) =>
      session?.run(run, watch) ?? notStarted('The command was not run: there is no shell.'),
    resume: async (run, watch) =>
      session?.resume(run, watch) ?? lostEnd('The shell it ran in is gone.'),
    async send(input, options) {
      const gone = { refused: 'there is no shell', state: 'ended' as const, output: noOutput }
      if (lane.isTaken() && input.type !== 'interrupt') return { ...gone, ...taken }
      return session?.send(input, options) ?? gone
    },
    settle: (run) => session?.settle(run),
    async read(wanted) {
      await session?.drawn()
      return whole((await lane.look(wanted)).text)
    },
    resize: lane.wishSize,
    keep: () => session?.keep(),
    async interrupt(signal) {
      await session?.interrupt(signal)
    },
    cwd: () => session?.cwd() ?? null,
    stamp: () => session?.state().stamp ?? null,
    adopt: async () => session?.adopt() ?? refused('There is no shell yet.'),
    names: async () => session?.names() ?? null,
    async readOutput({ limit = Number.MAX_SAFE_INTEGER, ...range }) {
      await session?.sync()
      return readStretch(logFolder, range, limit)
    },
    forget: (before) => session?.forget(before) ?? false,
    async *recording() {
      await session?.sync()
      yield* readRecording(logFolder)
    },
    async detach() {
      lane.close()
      session?.leave()
      session = null
    },
    async close() {
      ends += 1
      const isGone = (await session?.end()) ?? true
      session = null
      await endHolder(options.folder, { isAsked: !isGone })
      await within(endMs, starting)
    },
  }
}
