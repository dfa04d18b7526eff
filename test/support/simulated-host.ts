import { setImmediate as turn } from 'node:timers/promises'
import type { Event } from '../../src/protocol/events/event.ts'
import type { SessionId } from '../../src/protocol/events/seq.ts'
import type { SessionState } from '../../src/log/state.ts'
import type { Catalogue } from '../../src/session/catalogue.ts'
import type { Report } from '../../src/session/record/report.ts'
import { createCommit, createPublisher } from '../../src/server/session/commit.ts'
import { createMeasuredRequests } from '../../src/server/session/measured-requests.ts'
import { createEffects } from '../../src/server/session/effects.ts'
import { createLive } from '../../src/server/session/live.ts'
import type { PerformContext, Work } from '../../src/server/session/perform.ts'
import { recover } from '../../src/server/session/recover.ts'
import type { EventStore } from '../../src/server/store/store.ts'
import { createWriter, type Writer } from '../../src/server/session/writer.ts'
import { factsOf } from '../../src/session/policy/facts-of.ts'
import { judge } from '../../src/session/policy/verdict.ts'
import { plainShell } from './plain-shell.ts'

export interface SimulatedHostDeps {
  id: SessionId
  store: EventStore
  state: SessionState
  catalogue(state: SessionState): Catalogue
  clock(): number
  uuid(): string
  onStored(events: readonly Event[]): void
  onReport(report: Report): void
  /** Judgements are left to the test, too. */
  judgesLate?: boolean
}

/** An effect that was started and has not come to its end. */
export interface UnderWay {
  work: Work
  /** An earlier server began it. */
  isResumed: boolean
  /** It was aborted: nobody waits for it any more, but its end may still come. */
  isVanished(): boolean
  tell(report: Report): Promise<void>
  /** Reports for the last time. */
  end(report: Report): Promise<void>
}

export interface SimulatedHost {
  writer: Writer
  underWay(): readonly UnderWay[]
  /** Comes after a server that died. */
  recover(holderLives: boolean): Promise<void>
  /** The server is gone: what its effects find reaches nobody. */
  die(): Promise<void>
}

/**
 * A session as the product has it: its writer with its queue, its commits to a store, and its effects, which start and
 * abort what is due. Only what they do is left to the test: terminal, model and files.
 */
export function openSimulatedHost(deps: SimulatedHostDeps): SimulatedHost {
  const { id, store } = deps
  const underWay = new Set<UnderWay>()
  const live = createLive(() => undefined)
  const requests = createMeasuredRequests(store, id)
  const publisher = createPublisher({ read: async () => [], diagnose })
  const commit = createCommit({
    id,
    store,
    requests,
    live,
    publisher: { ...publisher, events: deps.onStored },
  })
  const effects = createEffects({
    perform: (work, context) =>
      work.type === 'judge' && deps.judgesLate !== true
        ? context.report(judged(work))
        : new Promise((done) => void underWay.add(begun(work, context, done))),
    report(report) {
      deps.onReport(report)
      return writer.report(report)
    },
    diagnose,
    loadedHead: deps.state.head,
  })
  /** At once, in a plain shell whose files nobody looks at. */
  function judged({ call, command, stamp, terms }: Work & { type: 'judge' }): Report {
    const facts = factsOf(writer.state(), { home: '/home/me', trusted: true })
    const verdict = judge(command, { ...facts, live: plainShell(), files: new Map() })
    const { shell, levels, isReplaced } = writer.state()
    const place = JSON.stringify([shell, levels, isReplaced]).replaceAll('.', '')
    const fingerprint = `${place}.${place}`
    return { type: 'judged', call: call.seq, verdict, cwd: shell.cwd, stamp, terms, fingerprint }
  }
  let isOpen = true
  const writer: Writer = createWriter({
    state: deps.state,
    catalogue: () => deps.catalogue(writer.state()),
    commit,
    findKey: (key) => store.findKey(id, key),
    onState(state) {
      if (isOpen) effects.reconcile(state)
    },
    onSignal: () => undefined,
    onDriver: () => undefined,
    onKeep: () => undefined,
    onFull: () => undefined,
    diagnose,
    clock: deps.clock,
    uuid: deps.uuid,
  })

  function begun(
    work: Work,
    { signal, report, isResumed }: PerformContext,
    done: () => void,
  ): UnderWay {
    const begun: UnderWay = {
      work,
      isResumed,
      isVanished: () => signal.aborted,
      tell: report,
      async end(last) {
        underWay.delete(begun)
        await report(last)
        done()
      },
    }
    return begun
  }

  return {
    writer,
    underWay: () => [...underWay],
    async recover(holderLives) {
      isOpen = false
      const found = {
        shell: 'bash',
        integration: 'full',
        generation: 0,
        pid: 7,
        cwd: '/work',
      } as const
      const terminal = {
        attach: async () => (holderLives ? found : null),
        close: async () => undefined,
        showMoved: () => undefined,
      }
      await recover({ id, store, terminal, writer, folderOf: () => '/elsewhere' })
      isOpen = true
      effects.reconcile(writer.state())
    },
    async die() {
      isOpen = false
      await writer.stop()
    },
  }
}

/** All that has been said is heard: nothing in a simulated session takes longer than a turn of the loop. */
export async function quiet(): Promise<void> {
  await turn()
}

function diagnose(message: string, error: unknown): never {
  throw new Error(message, { cause: error })
}
