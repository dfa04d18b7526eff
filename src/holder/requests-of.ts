import type { HolderStart, MoveRequest } from '../protocol/holder.ts'
import { frameKind } from '../protocol/holder-wire.ts'
import type { Adopter } from './adopter.ts'
import type { QueryAnswerer } from './answer-queries.ts'
import type { Requests } from './frames-in.ts'
import type { Home } from './home.ts'
import { type Injection, moved } from './injection.ts'
import type { Keys } from './keys.ts'
import type { Levels } from './levels.ts'
import type { Link } from './link.ts'
import type { NamesPull } from './names-pull.ts'
import { probeShell } from './processes.ts'
import type { SessionLog } from './session-log.ts'
import type { ShellStream } from './shell-stream.ts'
import type { WriteQueue } from './write-queue.ts'

export interface RequestsDeps {
  adopter: Adopter
  home: Pick<Home, 'enter'>
  input: WriteQueue
  keys: Keys
  levels: Levels
  link(): Link
  log: SessionLog
  names: NamesPull
  queries: QueryAnswerer
  stream: ShellStream
  shellPid: number
  isOver(): boolean
  resize(size: HolderStart['size']): void
  end(): void
}

/** What a holder does when its server asks for something. */
export function requestsOf(deps: RequestsDeps): Requests {
  const { adopter, input, keys, levels, link, log, names, queries, stream, isOver } = deps

  function inject(injection: Injection, level: number): void {
    const no = reasonAgainst(injection, level)
    if (no !== null) return link().send(frameKind.uninjected, { id: injection.id, ...no })
    keys.follow('shut')
    levels.injector().inject(injection)
  }

  function reasonAgainst({ stamp }: Injection, level: number) {
    if (level !== levels.top()) return { reason: 'the shell it was for has ended' }
    if (stamp !== null && stamp !== stream.place().stamp) return moved
    return adopter.isBusy() ? { reason: 'a shell is being adopted' } : null
  }

  async function move(place: MoveRequest): Promise<void> {
    log.move(place)
    await deps.home.enter(place)
  }

  return {
    inject,
    input(bytes) {
      if (isOver() || adopter.takesKeys(bytes)) return
      names.onTyped()
      keys.type(bytes)
    },
    adopt: adopter.adopt,
    resize: (size) => (isOver() ? undefined : deps.resize(size)),
    signal: keys.signal,
    acknowledge: stream.marks.acknowledge,
    sync() {
      log.flush()
      link().send(frameKind.synced, {})
    },
    probe(pid) {
      link().send(frameKind.probed, probeShell(isOver() ? null : (pid ?? deps.shellPid)))
    },
    end: deps.end,
    answering(on) {
      queries.answering(on)
      // In the stream's own order, so that the server knows which queries were answered here.
      if (!on) link().send(frameKind.quiet, { offset: log.head() })
    },
    answer(offset, bytes) {
      queries.dealtWith(offset)
      input.push(bytes)
    },
    checkpoint(next) {
      log.putAside(next)
      queries.dealtWith(next.offset)
    },
    forget: (before) => log.forget(before),
    names: () => names.ask(),
    withdraw: (id) => levels.injector().withdraw(id),
    move: (place) =>
      void move(place).then(
        () => link().send(frameKind.moved, { ok: true }),
        () => link().send(frameKind.moved, { ok: false }),
      ),
  }
}
