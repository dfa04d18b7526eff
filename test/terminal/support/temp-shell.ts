import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTerminal } from '../../../src/server/terminal/create-terminal.ts'
import type {
  Captured,
  RunWatch,
  ShellEnd,
  ShellInfo,
  Terminal,
  TerminalRun,
  TerminalRunEnd,
} from '../../../src/server/terminal/terminal.ts'
import type { TerminalOptions } from '../../../src/server/terminal/terminal-options.ts'
import { bundleHolder } from './holder-bundle.ts'

let entry: Promise<string> | null = null

export function holderEntry(): Promise<string> {
  entry ??= bundleHolder()
  return entry
}

export interface TempShell {
  terminal: Terminal
  info: ShellInfo
  home: string
  folder: string
  ends: ShellEnd[]
  run: (command: string, options?: RunOptions) => Promise<TerminalRunEnd>
  /** Resolves when the shell's end is reported. */
  shellEnd: Promise<ShellEnd>
  close: () => Promise<void>
}

export interface RunOptions extends Partial<TerminalRun>, Partial<RunWatch> {}

export function runOf(
  command: string,
  options: RunOptions = {},
): { run: TerminalRun; watch: RunWatch } {
  return {
    run: {
      id: options.id ?? `sh-${randomUUID()}`,
      command,
      by: options.by ?? 'model',
      timeoutMs: options.timeoutMs ?? 0,
      private: options.private ?? false,
      level: options.level ?? 0,
      stamp: options.stamp ?? null,
    },
    watch: {
      signal: options.signal ?? new AbortController().signal,
      onOutput: options.onOutput ?? (() => {}),
      onWaits: options.onWaits ?? (() => {}),
      onTimeout: options.onTimeout ?? (() => {}),
      onStatus: options.onStatus ?? (() => {}),
    },
  }
}

export interface TempOptions {
  bashrc?: string
  env?: Record<string, string>
  cwd?: string
  shell?: string
  terminal?: Partial<
    Pick<
      TerminalOptions,
      'bin' | 'emulator' | 'limit' | 'logCaps' | 'startMs' | 'onTyped' | 'onLevel'
    >
  >
}

export async function makeTerminal(options: TempOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'tandem-terminal-'))
  const home = join(root, 'home')
  mkdirSync(home)
  if (options.bashrc !== undefined) writeFileSync(join(home, '.bashrc'), options.bashrc)
  const ends: ShellEnd[] = []
  let onEnd: (end: ShellEnd) => void = () => {}
  const shellEnd = new Promise<ShellEnd>((resolve) => {
    onEnd = resolve
  })
  const terminalOptions = {
    folder: join(root, 'session'),
    shell: options.shell ?? 'bash',
    env: { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', ...options.env },
    holderEntry: await holderEntry(),
    ...options.terminal,
    onShellEnd(end: ShellEnd) {
      ends.push(end)
      onEnd(end)
    },
  }
  const terminal = createTerminal(terminalOptions)
  const close = async () => {
    await terminal.close()
    rmSync(root, { recursive: true, force: true })
  }
  return {
    terminal,
    terminalOptions,
    home,
    folder: terminalOptions.folder,
    ends,
    shellEnd,
    close,
    root,
  }
}

/** A real bash with a home of its own. */
export async function startShell(options: TempOptions = {}): Promise<TempShell> {
  const made = await makeTerminal(options)
  const started = await made.terminal.start({ generation: 1, cwd: options.cwd ?? made.home })
  if (!started.ok) throw new Error(started.error)
  return {
    ...made,
    info: started.value,
    run(command, runOptions) {
      const { run, watch } = runOf(command, runOptions)
      return made.terminal.run(run, watch)
    },
  }
}

export function text({ head, tail }: Captured): string {
  return head + tail
}

/** Every process of a terminal session, by the pid of its shell. */
export function sessionOf(shellPid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(fields[3]) === shellPid && fields[0] !== 'Z'
      } catch {
        return false
      }
    })
    .map(Number)
}

export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0] !== 'Z'
  } catch {
    return false
  }
}
