import { constants } from 'node:os'
import { assertNever } from '../../../protocol/assert-never.ts'
import type { Hello } from '../../../protocol/holder.ts'
import type { Effect } from '../../../terminal/effect.ts'
import type { Heard } from '../../../terminal/heard.ts'
import type { Run } from '../../../terminal/run.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import { enteredLine } from '../entered-line.ts'
import type { HolderClient } from '../holder-client.ts'
import type { ShellLook } from './look-at-shell.ts'
import type { InOrder } from './tell-in-order.ts'
import type { WatchedRun } from './watched-run.ts'

type Answer = Omit<Heard & { type: 'probed' }, 'now'> | Omit<Heard & { type: 'worked' }, 'now'>

export interface EffectDoerDeps {
  hello: Pick<Hello, 'takesStamps'>
  client: HolderClient
  look: ShellLook
  state(): TerminalState
  listen(answer: Answer): void
  /** The runs that somebody here waits for. */
  runs: ReadonlyMap<string, WatchedRun>
  inOrder: InOrder
  /** Ends the shell and all it started, whatever it takes. */
  onRestart(): void
  /** Nothing is left to be asked of the holder. */
  endHolder(): void
  /** Adopts the shell that reads now. */
  adopt(): void
  /** Resolves when it is on disk. */
  tell(told: (Effect & { type: 'tell' })['told']): Promise<void>
}

export interface EffectDoer {
  perform(effect: Effect): void
  onData(run: Run, offset: number, bytes: Buffer): void
}

const { SIGINT, SIGTERM, SIGKILL } = constants.signals
const signals = { int: SIGINT, term: SIGTERM, kill: SIGKILL } as const

/** Does what the fold wants done. */
export function createEffectDoer(deps: EffectDoerDeps): EffectDoer {
  const { client, look, state, listen, runs, inOrder, tell } = deps

  function probe({ level, why }: Effect & { type: 'probe' }): void {
    const shell = state().shells[level]
    if (shell === undefined) return
    void look.probe(shell, why).then(
      (probe) => listen({ type: 'probed', level, why, probe }),
      () => listen({ type: 'probed', level, why, probe: null }),
    )
  }

  /** What is not reported here must be heard by whoever comes next. */
  const hasLeft = () => state().ending === 'left'

  function measure({ run }: Effect & { type: 'measure' }): void {
    setImmediate(() => {
      const hasWorked = runs.get(run)?.hasWorked() ?? false
      listen({ type: 'worked', run, hasWorked })
    })
  }

  function inject({ level, name, isByKeys, run }: Effect & { type: 'inject' }): void {
    const { id, command, by, isPrivate, stamp } = run.order
    const { line, asFile } = enteredLine(command, { shell: name, isByKeys })
    client.inject({
      id,
      command: Buffer.from(line),
      model: by === 'model',
      asFile,
      private: isPrivate,
      stamp: deps.hello.takesStamps ? stamp : null,
      level,
    })
  }

  function ended({ run, track, verdict }: Effect & { type: 'ended' }): void {
    const watched = runs.get(run.order.id)
    if (watched !== undefined) inOrder.answer(watched.finish({ run, track, verdict }))
  }

  return {
    perform(effect) {
      switch (effect.type) {
        case 'inject':
          return inject(effect)
        case 'withdraw':
          return client.withdraw(effect.run)
        case 'type':
          return client.input(Buffer.from(effect.text))
        case 'signal':
          return client.signal('foreground', signals[effect.signal])
        case 'restart':
          return deps.onRestart()
        case 'probe':
          return probe(effect)
        case 'status':
          return runs.get(effect.run)?.watch.onStatus(effect.status, effect.leftMs)
        case 'watch':
          return runs.get(effect.run)?.begin()
        case 'unwatch':
          return runs.get(effect.run)?.pause()
        case 'timeout':
          return runs.get(effect.run)?.onTimeout()
        case 'measure':
          return measure(effect)
        case 'waits':
          return runs.get(effect.run)?.onWaits(effect.need)
        case 'ended':
          return ended(effect)
        case 'tell':
          return inOrder.tell(async () => (hasLeft() ? undefined : tell(effect.told)))
        case 'acknowledge':
          return hasLeft() ? undefined : client.acknowledge(effect.seq, effect.level)
        case 'adopt':
          return deps.adopt()
        case 'end-holder':
          return deps.endHolder()
        default:
          return assertNever(effect)
      }
    },
    onData: ({ order }, offset, bytes) => runs.get(order.id)?.onData(offset, bytes),
  }
}
