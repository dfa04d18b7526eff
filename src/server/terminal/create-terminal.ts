import { join } from 'node:path'
import { refused } from '../../base/result.ts'
import { nothing, whole } from '../../base/text.ts'
import { readStretch, readRecording } from './byte-log/read-byte-log.ts'
import { connectHolder } from './holder/connect-holder.ts'
import { createLiveView } from './live-view/create-live-view.ts'
import { inputRefusals, type OwnedLiveView } from './live-view/live-view.ts'
import { noEmulator } from './emulator/worker/shared-emulator.ts'
import { lostEnd, notStarted } from './run/unexecuted.ts'
import { createShellSession, type ShellSessionOptions } from './shell/create-session.ts'
import type { ShellSession } from './shell/session.ts'
import { firstSize } from './start/prepare-shell.ts'
import { createShellLife, type CurrentShell, type ShellLifeDeps } from './start/shell-life.ts'
import type { Terminal, TerminalOutput, TerminalWork } from './terminal.ts'
import type { TerminalOptions } from './terminal-options.ts'

export function createTerminal(options: TerminalOptions): Terminal {
  const logFolder = logFolderOf(options.folder)
  const emulator = options.emulator ?? noEmulator
  const liveView = createLiveView({ folder: logFolder, size: firstSize, emulator })
  const current: CurrentShell = { shell: null }
  const open = (socket: string) => openShell(socket, { options, liveView, logFolder })
  return {
    liveView,
    ...createShellLife({ options, liveView, logFolder, current, open }),
    ...workOf(current, liveView),
    ...outputOf(current, logFolder),
  }
}

type OpenDeps = Pick<ShellLifeDeps, 'options' | 'liveView' | 'logFolder'>

/** Connects to a shell's holder; the live view listens along. */
function openShell(
  socket: string,
  { options, liveView, logFolder }: OpenDeps,
): Promise<ShellSession> {
  return connectHolder(socket, (hello, client) => {
    const { session, events } = createShellSession({
      hello,
      client,
      folder: logFolder,
      ...drawingOf(options, liveView),
      onEnd: options.onShellEnd.bind(options),
      onTyped: async (report) => options.onTyped?.(report),
      onLevel: async (report) => options.onLevel?.(report),
      onChange: liveView.changed,
      diagnose: (error) =>
        options.diagnose?.('what happened in the terminal could not be told', error),
    })
    return { events: liveView.attach({ hello, client, shell: session }, events), value: session }
  })
}

/** Without an emulator nothing is drawn, and nobody can say who has the screen. */
function drawingOf(
  { emulator }: TerminalOptions,
  liveView: OwnedLiveView,
): Pick<ShellSessionOptions, 'draw' | 'screen' | 'isAlternate'> {
  if (emulator === undefined) return { draw: null, screen: null, isAlternate: async () => false }
  const size = () => liveView.state().size
  return {
    draw: (bytes) => emulator.render(bytes, { cols: size().cols }),
    screen: (from, hidden) =>
      liveView.readScreen({ lines: size().rows, ansi: false, hidden, from }),
    isAlternate: async () =>
      (await liveView.readScreen({ lines: 1, ansi: false, hidden: [] })).isAlternate,
  }
}

function workOf(current: CurrentShell, liveView: OwnedLiveView): TerminalWork {
  return {
    run: async (run, watch) =>
      current.shell?.run(run, watch) ?? notStarted('The command was not run: there is no shell.'),
    resume: async (run, watch) =>
      current.shell?.resume(run, watch) ?? lostEnd('The shell it ran in is gone.'),
    settle: (run) => current.shell?.settle(run),
    async send(input, options) {
      if (liveView.isTaken() && input.type !== 'interrupt')
        return { refused: inputRefusals.taken, state: 'running', output: nothing }
      const gone = { refused: 'there is no shell', state: 'ended' as const, output: nothing }
      return current.shell?.send(input, options) ?? gone
    },
    async read(wanted) {
      await current.shell?.drawn()
      return whole((await liveView.readScreen(wanted)).text)
    },
    resize: liveView.resize,
    adopt: async () => current.shell?.adopt() ?? refused('There is no shell yet.'),
    keep: () => current.shell?.keep(),
    async interrupt(signal) {
      await current.shell?.interrupt(signal)
    },
    cwd: () => current.shell?.cwd() ?? null,
    stamp: () => current.shell?.state().stamp ?? null,
    reported: async () => current.shell?.reported(),
    // Most prompts are sent to a shell that waits: nothing more is asked of the kernel then.
    secretAsked: async () =>
      current.shell?.isAtPrompt() === false ? current.shell.secretAsked() : null,
    names: async () => current.shell?.names() ?? null,
    liveState: async (names = []) => current.shell?.liveState(names) ?? null,
  }
}

/** The byte log of a session's terminal lies here in the session's folder. */
export const logFolderOf = (folder: string): string => join(folder, 'pty')

function outputOf(current: CurrentShell, logFolder: string): TerminalOutput {
  return {
    async readOutput({ limit = Number.MAX_SAFE_INTEGER, ...range }) {
      await current.shell?.sync()
      return readStretch(logFolder, range, limit)
    },
    forget: (before) => current.shell?.forget(before) ?? false,
    async *recording() {
      await current.shell?.sync()
      yield* readRecording(logFolder)
    },
  }
}
