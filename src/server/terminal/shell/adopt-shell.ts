import { setTimeout as delay } from 'node:timers/promises'
import { maxLevel } from '../../../protocol/holder/frames.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import { isFree, isOver, topShell } from '../../../terminal/shells.ts'
import type { Shell, TerminalState } from '../../../terminal/state.ts'
import type { HolderClient } from '../holder/client.ts'
import { adoptables } from '../integration/adoptable.ts'
import type { Foreground } from '../probe/classify.ts'
import { createProbe } from '../probe/probe.ts'
import type { AdoptedShell } from '../terminal.ts'
import { findAdoptable, isBusyShell } from './find-adoptable.ts'
import type { LiveShell } from './live-shell.ts'

interface AdoptionDeps extends Omit<AdoptShellDeps, 'state' | 'until'> {
  live: Pick<LiveShell, 'state' | 'listen' | 'order' | 'until'>
  /** The number of runs that were ordered so far. */
  ordered(): number
}

/** The error is a sentence for a person. */
type Adopted = Result<AdoptedShell, string>

export type Adoption = ReturnType<typeof createAdoption>

/** Makes the shell that reads now the one that commands run in, because somebody asks for it or by itself. */
export function createAdoption({ live, ordered, ...deps }: AdoptionDeps) {
  let begun: Promise<{ adopted: Adopted; ordered: number }> | null = null

  function adopt(): Promise<Adopted> {
    return adoptShell({ ...deps, state: live.state, until: live.until })
  }

  return {
    async byHand(): Promise<Adopted> {
      // An adoption by itself counts, also one that is over, until a run is ordered: then that is meant.
      const done = await begun
      if (done?.adopted.ok === true && done.ordered === ordered()) return done.adopted
      live.order({ type: 'adopt' })
      return isOver(live.state()) ? refused('The shell has ended.') : adopt()
    },
    /** Adopts without being asked: it is the same process, of the same user. */
    byItself(): void {
      const end = (adopted: Adopted) => {
        live.listen({ type: 'adopted', error: adopted.ok ? null : adopted.error })
        return { adopted, ordered: ordered() }
      }
      begun = adopt().then(end, (error: unknown) => end(refused(String(error))))
    },
  }
}

interface AdoptShellDeps {
  client: Pick<HolderClient, 'adopt' | 'probe'>
  basePid: number
  pts: string
  state(): TerminalState
  /** A program has taken the whole screen. */
  isAlternate(): Promise<boolean>
  /** Resolves with the first true value, once the state has one; null when the shell is over before. */
  until<T>(found: (state: TerminalState) => T | null, ms: number): Promise<T | null>
  /** Resolves when the session knows what happened so far. */
  reported(): Promise<void>
}

/** A shell that is at work is looked at again for so long, and so often. */
const [busyMs, againMs] = [2_000, 50]
/** The time from its first word to its first prompt. */
const promptMs = 10_000

/** Teaches the shell that reads in the terminal now to take our commands. The error is a sentence for a person. */
async function adoptShell(deps: AdoptShellDeps): Promise<Adopted> {
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
  await deps.reported()
  const { name, place, cwd } = entered
  return ok({ shell: name, place, cwd: cwd ?? '/' })
}

/** The shell that spoke last, once the session can be told where it is. */
function atPrompt(shell: Shell | undefined, before: number | undefined): Shell | null {
  return shell !== undefined && shell.ptyAt !== before && shell.isReported ? shell : null
}

/** Looks until the shell rests; one that is at work all the time is told as such. */
async function lookAtRest({ basePid, pts }: AdoptShellDeps): Promise<Foreground> {
  const probe = createProbe({ shellPid: basePid, pts })
  const end = performance.now() + busyMs
  let seen = await probe.read()
  while (isBusyShell(seen) && performance.now() < end) {
    await delay(againMs)
    seen = await probe.read()
  }
  return seen
}
