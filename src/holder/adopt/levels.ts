import { performance } from 'node:perf_hooks'
import type { AdoptableShell } from '../../protocol/holder/holder.ts'
import type { Current, Level } from '../current.ts'
import { createInjector, deliverByKeys, type Injector } from '../inject/injector.ts'
import type { Told } from '../inject/state.ts'
import type { Nonces } from '../output/scan-marks.ts'
import { readProcess } from '../process/processes.ts'
import { shellReads } from '../process/reads-terminal.ts'

interface LevelsOptions {
  current: Current
  own: Omit<Level, 'leader'>
  /** The session's own shell, whose pid is that of the terminal's session. */
  shellPid: number
  nonces: Nonces
  write: (bytes: Buffer) => void
  tell: (told: Told) => void
  /** A shell is gone, and with it all that were inside. */
  onLeft: (level: number) => void
}

interface EnteredShell {
  nonce: string
  pid: number
  shell: AdoptableShell
  /** The foreground process group, when it was adopted. */
  group: number
}

/** The program that started a shell may go on without it, and no mark would say so. */
const lookMs = 1000

export type Levels = ReturnType<typeof createLevels>

/** The shells inside each other. Commands and keys are for the innermost. */
export function createLevels(options: LevelsOptions) {
  const { current, shellPid: session, nonces, write, tell, onLeft } = options
  const own: Level = { ...options.own, leader: null }
  let timer: NodeJS.Timeout | undefined
  put([own])

  function put(levels: readonly Level[]): void {
    current.levels = levels
    current.injector = (levels.at(-1) ?? own).injector
    current.nested = levels.length > 1 ? { spoke } : null
    clearInterval(timer)
    timer = levels.length > 1 ? setInterval(look, lookMs) : undefined
  }

  function leave(first: number): void {
    for (let level = current.levels.length - 1; level >= first; level -= 1) {
      const { nonce, injector } = current.levels[level] ?? own
      put(current.levels.slice(0, level))
      nonces.retire(nonce)
      const now = performance.now()
      if (injector.state.unanswered > 0) current.injector.hear({ type: 'littered', now })
      onLeft(level)
      injector.hear({ type: 'left', now })
    }
  }

  /** A shell spoke; all that were inside it have ended. */
  function spoke(level: number): void {
    if (level < current.levels.length - 1) leave(level + 1)
  }

  function look(): void {
    const gone = current.levels.findIndex(({ leader }) => leader !== null && !isThere(leader))
    if (gone > 0) leave(gone)
  }

  function injectorOf({ pid, shell }: EnteredShell): Injector {
    return createInjector({
      delivery: deliverByKeys(shell.keys.load),
      keys: shell.keys,
      alwaysBrackets: shell.alwaysBrackets === true,
      shellPid: pid,
      reads: () => shellReads(pid, session),
      write,
      tell,
    })
  }

  return {
    /** A shell that was adopted speaks: as one more level, or as the innermost itself. */
    enter(level: number, entered: EnteredShell): void {
      const { nonce, shell, group } = entered
      const isReplaced = level < current.levels.length
      const before = current.levels.at(-1) ?? own
      if (isReplaced) nonces.retire(before.nonce)
      const startTime = readProcess(group)?.startTime
      const leader = startTime === undefined ? null : { pid: group, startTime }
      const innermost: Level = {
        nonce,
        injector: injectorOf(entered),
        titles: shell.titlesCommands === true,
        leader: isReplaced ? before.leader : leader,
      }
      put([...(isReplaced ? current.levels.slice(0, level) : current.levels), innermost])
    },
    close: () => clearInterval(timer),
  }
}

function isThere({ pid, startTime }: NonNullable<Level['leader']>): boolean {
  const found = readProcess(pid)
  return found !== null && found.startTime === startTime && found.state !== 'Z'
}
