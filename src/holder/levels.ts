import type { AdoptableShell, Uninjected } from '../protocol/holder.ts'
import { wayByKeys } from './way-in.ts'
import type { Injector, InjectorOptions } from './injection.ts'
import { createInjector } from './injector.ts'
import type { Nonces } from './nonces.ts'
import { readProcess } from './processes.ts'
import { shellReads } from './reads-terminal.ts'

/** One shell inside another, the session's own at the bottom. */
interface Level {
  nonce: string
  injector: Injector
  /** It writes the window's title before a command's output. */
  titles: boolean
  /** What ends with it, as far as this machine can tell. */
  leader: { pid: number; startTime: string } | null
}

export interface LevelsOptions {
  base: Pick<Level, 'nonce' | 'injector' | 'titles'>
  /** Of the terminal: its own shell's. */
  session: number
  place: InjectorOptions['place']
  nonces: Nonces
  write: (bytes: Buffer) => void
  onLate: (id: string) => void
  onSettled: () => void
  onUninjected: (uninjected: Uninjected) => void
  onPasted: (id: string, attempt: number) => void
  /** A shell is gone, and with it all that were inside. */
  onLeft: (level: number) => void
}

export interface Levels {
  top: () => number
  injector: () => Injector
  titles: (owner: number) => boolean
  /** A shell that was adopted speaks: as one more level, or as the innermost itself. */
  enter: (level: number, adopted: EnteredShell) => void
  /** A shell spoke; all that were inside it have ended. */
  spoke: (level: number) => void
  close: () => void
}

export interface EnteredShell {
  nonce: string
  pid: number
  shell: AdoptableShell
  /** The foreground process group, when it was adopted. */
  group: number
}

/** Whoever started the shell may go on without it, and no mark would say so. */
const lookMs = 1000

export function createLevels(options: LevelsOptions): Levels {
  const { session, nonces, place, write, onLate, onSettled, onUninjected, onPasted, onLeft } =
    options
  let levels: readonly Level[] = [{ ...options.base, leader: null }]
  let timer: NodeJS.Timeout | null = null

  const top = () => levels.length - 1
  const innermost = () => levels.at(-1) ?? { ...options.base, leader: null }

  function leave(first: number): void {
    for (let level = top(); level >= first; level -= 1) {
      const { nonce, injector } = innermost()
      levels = levels.slice(0, level)
      nonces.retire(nonce)
      onLeft(level)
      injector.leave()
    }
    watch()
  }

  function watch(): void {
    if (timer !== null) clearInterval(timer)
    timer = levels.length > 1 ? setInterval(look, lookMs) : null
  }

  function look(): void {
    const gone = levels.findIndex(({ leader }) => leader !== null && !isThere(leader))
    if (gone > 0) leave(gone)
  }

  function enter(level: number, { nonce, pid, shell, group }: EnteredShell): void {
    const isReplaced = level <= top()
    const before = innermost()
    if (isReplaced) nonces.retire(before.nonce)
    const injector = createInjector({
      way: wayByKeys(shell.keys.load),
      keys: shell.keys,
      alwaysBrackets: shell.alwaysBrackets === true,
      shellPid: pid,
      reads: () => shellReads(pid, session),
      place,
      write,
      onLate,
      onSettled,
      onUninjected,
      onPasted,
    })
    const startTime = readProcess(group)?.startTime
    const leader = startTime === undefined ? null : { pid: group, startTime }
    const entered: Level = {
      nonce,
      injector,
      titles: shell.titlesCommands === true,
      leader: isReplaced ? before.leader : leader,
    }
    levels = [...(isReplaced ? levels.slice(0, level) : levels), entered]
    watch()
  }

  return {
    top,
    injector: () => innermost().injector,
    titles: (owner) => levels[owner]?.titles === true,
    enter,
    spoke(level) {
      if (level < top()) leave(level + 1)
    },
    close() {
      if (timer !== null) clearInterval(timer)
    },
  }
}

function isThere({ pid, startTime }: NonNullable<Level['leader']>): boolean {
  const found = readProcess(pid)
  return found !== null && found.startTime === startTime && found.state !== 'Z'
}
