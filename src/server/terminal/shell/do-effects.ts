import { constants } from 'node:os'
import { assertNever } from '../../../base/assert-never.ts'
import type { Hello } from '../../../protocol/holder/holder.ts'
import { trimEndOf } from '../../../base/text.ts'
import type { ShellName, ShellReport } from '../../../protocol/events/shell.ts'
import type { Effect } from '../../../terminal/effect.ts'
import type { Incoming } from '../../../terminal/incoming.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import type { HolderClient } from '../holder/client.ts'
import { evalLine } from '../integration/adoptable.ts'
import { integrations } from '../integration/pick-shell.ts'
import type { WatchedRun } from '../run/watched-run.ts'
import type { ShellLook } from './look-at-shell.ts'

type Answer =
  | Omit<Incoming & { type: 'probed' }, 'now'>
  | Omit<Incoming & { type: 'worked' }, 'now'>

export interface EffectDeps {
  hello: Pick<Hello, 'takesStamps'>
  client: HolderClient
  look: ShellLook
  state(): TerminalState
  listen(answer: Answer): void
  /** The runs that somebody here waits for. */
  runs: ReadonlyMap<string, WatchedRun>
  reports: ReportQueue
  /** Resolves when it is on disk. */
  report(report: ShellReport): Promise<void>
  /** Ends the shell and all it started, whatever it takes. */
  restart(): void
  /** Nothing is left to be asked of the holder. */
  endHolder(): void
  /** Adopts the shell that reads now. */
  adopt(): void
}

const { SIGINT, SIGTERM, SIGKILL } = constants.signals
const signals = { int: SIGINT, term: SIGTERM, kill: SIGKILL } as const

/** Does what the fold wants done. */
export function doEffect(effect: Effect, deps: EffectDeps): void {
  const { client, runs } = deps
  switch (effect.type) {
    case 'inject':
      return inject(effect, deps)
    case 'withdraw':
      return client.withdraw(effect.run)
    case 'type':
      return client.input(Buffer.from(effect.text))
    case 'signal':
      return client.signal('foreground', signals[effect.signal])
    case 'restart':
      return deps.restart()
    case 'probe':
      return probe(effect, deps)
    case 'status':
      return runs.get(effect.run)?.watch.onStatus(effect.status, effect.leftMs)
    case 'watch':
      return runs.get(effect.run)?.begin()
    case 'unwatch':
      return runs.get(effect.run)?.pause()
    case 'timeout':
      return runs.get(effect.run)?.onTimeout()
    case 'measure':
      return measure(effect, deps)
    case 'waits':
      return runs.get(effect.run)?.onWaits(effect.need)
    case 'ended':
      return end(effect, deps)
    case 'report':
      return deps.reports.add(async () => (hasLeft(deps) ? undefined : deps.report(effect.report)))
    case 'acknowledge':
      return hasLeft(deps) ? undefined : client.acknowledge(effect.seq, effect.level)
    case 'adopt':
      return deps.adopt()
    case 'end-holder':
      return deps.endHolder()
    default:
      return assertNever(effect)
  }
}

/** After we left, whoever comes next must hear what is not reported here. */
function hasLeft({ state }: EffectDeps): boolean {
  return state().ending === 'left'
}

function inject({ level, name, isByKeys, run }: Effect & { type: 'inject' }, deps: EffectDeps) {
  const { id, command, by, isPrivate, stamp } = run.order
  const text = trimEndOf(command, '\n')
  const line = lineOf(name, text)
  // A shell that is reached by keys alone finds no file of ours.
  const asFile = line === null && !isByKeys
  deps.client.inject({
    id,
    command: Buffer.from(asFile ? command : (line ?? evalLine(name, text))),
    model: by === 'model',
    asFile,
    private: isPrivate,
    stamp: deps.hello.takesStamps ? stamp : null,
    level,
  })
}

/**
 * Longer lines are slow: a line editor's redrawing costs the square of the length, and fish colours the whole line at each
 * change.
 */
const maxLineBytes = 16 * 1024

/** The line by which a command enters a shell; null when it needs a file. */
function lineOf(name: ShellName, text: string): string | null {
  if (Buffer.byteLength(text) > maxLineBytes) return null
  return text.includes('\n') ? integrations[name].lines(text) : text
}

function probe({ level, why }: Effect & { type: 'probe' }, { state, look, listen }: EffectDeps) {
  const shell = state().shells[level]
  if (shell === undefined) return
  void look.probe(shell, why).then(
    (probe) => listen({ type: 'probed', level, why, probe }),
    () => listen({ type: 'probed', level, why, probe: null }),
  )
}

function measure({ run }: Effect & { type: 'measure' }, { runs, listen }: EffectDeps): void {
  setImmediate(() => {
    const hasWorked = runs.get(run)?.hasWorked() ?? false
    listen({ type: 'worked', run, hasWorked })
  })
}

function end({ run, track, verdict }: Effect & { type: 'ended' }, deps: EffectDeps): void {
  const watched = deps.runs.get(run.order.id)
  if (watched !== undefined) deps.reports.answer(watched.finish({ run, track, verdict }))
}

/** Tells the session what happened, in the order it happened: ends of runs to those who wait, the rest by report. */
export interface ReportQueue {
  /** A report; it resolves when it is on disk. */
  add(report: () => Promise<void>): void
  /** An answer that somebody waits for; it comes after all earlier reports. */
  answer(deliver: Promise<() => void>): void
  /** Resolves when all so far is reported. */
  done(): Promise<void>
}

export function createReportQueue(diagnose: (error: unknown) => void): ReportQueue {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  function add(work: Promise<void>): void {
    waiting += 1
    last = work.catch(diagnose).finally(() => {
      waiting -= 1
    })
  }

  async function deliverAfter(before: Promise<void>, deliver: Promise<() => void>): Promise<void> {
    await before
    const give = await deliver
    give()
    // The one who waited has reported by then what it was given.
    await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    add: (report) => add(last.then(report)),
    // Most often nothing is on its way, and who waits should not wait for a turn of the loop.
    answer: (deliver) => add(deliverAfter(waiting > 0 ? last : Promise.resolve(), deliver)),
    done: () => last,
  }
}
