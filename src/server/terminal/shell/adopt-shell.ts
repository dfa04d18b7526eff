import { setTimeout as delay } from 'node:timers/promises'
import { maxLevel } from '../../../protocol/holder-wire.ts'
import { ok, refused, type Result } from '../../../protocol/result.ts'
import { isFree, topShell } from '../../../terminal/select.ts'
import type { Shell, TerminalState } from '../../../terminal/state.ts'
import { findAdoptable, isBusyShell } from '../find-adoptable.ts'
import type { HolderClient } from '../holder-client.ts'
import { adoptables } from '../integration/adoptable.ts'
import type { Foreground } from '../probe/classify.ts'
import { createProbe } from '../probe/probe.ts'
import type { AdoptedShell } from '../terminal.ts'

export interface AdoptShellDeps {
  client: Pick<HolderClient, 'adopt' | 'probe'>
  basePid: number
  pts: string
  state(): TerminalState
  /** A program has taken the whole screen. */
  isAlternate(): Promise<boolean>
  /** Resolves with the first true value, once the state has one; null when the shell is over before. */
  until<T>(found: (state: TerminalState) => T | null, ms: number): Promise<T | null>
  /** Resolves when the session knows what happened so far. */
  told(): Promise<void>
}

/** How long a shell that is at work is looked at again, and how often. */
const [busyMs, againMs] = [2_000, 50]
/** From its first word to its first prompt. */
const promptMs = 10_000

/** Teaches the shell that reads in the terminal now to take our commands. The error is a sentence for a person. */
export async function adoptShell(deps: AdoptShellDeps): Promise<Result<AdoptedShell, string>> {
  const { client, state } = deps
  if (state().shells.length > maxLevel)
    return refused('There are too many shells inside each other.')
  const shell = topShell(state())
  const foreground = await lookAtRest(deps)
  const found = findAdoptable({
    group: (await client.probe())?.foreground ?? null,
    foreground,
    isAlternate: await deps.isAlternate(),
    shell: { pid: shell.pid, isFree: isFree(topShell(state())) },
  })
  if (!found.ok) return found
  const { group, isCarried, isSame } = found.value
  const level = isSame ? shell.level : shell.level + 1
  const before = state().shells[level]?.ptyAt
  const answer = await client.adopt({ ...adoptables, level, group, isCarried })
  if (!answer.ok) return refused(`The shell was not adopted: ${answer.reason}.`)
  const entered = await deps.until(({ shells }) => atPrompt(shells[level], before), promptMs)
  if (entered === null) return refused('The shell ended before its prompt.')
  await deps.told()
  const { name, place, cwd } = entered
  return ok({ shell: name, place, cwd: cwd ?? '/' })
}

/** The shell that spoke last, once the session can be told where it is. */
function atPrompt(shell: Shell | undefined, before: number | undefined): Shell | null {
  return shell !== undefined && shell.ptyAt !== before && shell.isTold ? shell : null
}

/** What is at work all the time is told as such. */
async function lookAtRest({ basePid, pts }: AdoptShellDeps): Promise<Foreground> {
  const probe = createProbe({ shellPid: basePid, pts })
  const end = performance.now() + busyMs
  let seen = await probe.look()
  while (isBusyShell(seen) && performance.now() < end) {
    await delay(againMs)
    seen = await probe.look()
  }
  return seen
}
