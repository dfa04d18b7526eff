import type { Hello, Kept } from '../../../protocol/holder/holder.ts'
import { hear } from '../../../terminal/hear.ts'
import type { Incoming, Order, Mark } from '../../../terminal/incoming.ts'
import { isFree, topShell } from '../../../terminal/shells.ts'
import { isPrinting } from '../../../terminal/shell/track.ts'
import { startTerminal, type TerminalState } from '../../../terminal/state.ts'
import { wakesAt } from '../../../terminal/time/deadlines.ts'
import type { HolderClient, HolderEvents } from '../holder/client.ts'
import { createEcho, readMark } from '../holder/read-mark.ts'
import { foregroundOf } from '../../process/proc-stat.ts'
import { doEffect, type EffectDeps } from './do-effects.ts'
import { createShellLook } from './look-at-shell.ts'
import { isInTerminal } from './processes.ts'

type News = Incoming extends infer Each
  ? Each extends Incoming
    ? Omit<Each, 'now'>
    : never
  : never

/** Resolves with the first value that a state has; null when the time is up, or the shell is over. */
export type Until = <T>(found: (state: TerminalState) => T | null, ms: number) => Promise<T | null>

export type LiveShell = ReturnType<typeof createLiveShell>

interface LiveShellOptions extends Omit<EffectDeps, 'state' | 'listen' | 'look'> {
  hello: Hello
  client: HolderClient
  /** The state may be another one now. */
  onChange(): void
}

/**
 * A living shell behind its holder: holds the one copy of the terminal's state, and lets nothing but the fold change
 * it.
 */
export function createLiveShell(options: LiveShellOptions) {
  const { hello, client, onChange } = options
  const look = createShellLook(client, hello.pts)
  const waiting = new Set<(state: TerminalState) => void>()
  const timer = createTimer(() => {
    listen({ type: 'time' })
    timer.set(wakesAt(state))
  })
  let state = startTerminal({ ...hello, entering: hello.injecting })
  let { kept } = hello
  const deps = { ...options, look, state: () => state, listen }

  function listen(news: News): void {
    const before = state
    const step = hear(state, { ...news, now: performance.now() })
    state = step.state
    for (const effect of step.effects) doEffect(effect, deps)
    if (state === before) return
    if (news.type === 'mark') seeShell(news.mark)
    timer.set(wakesAt(state))
    for (const found of waiting) found(state)
    // Output alone is no news but for those whom it is sent to.
    if (news.type !== 'data' || step.effects.length > 0) onChange()
  }

  /** A shell is itself from its first word on; one that took its place is another. */
  function seeShell(mark: Mark): void {
    if (mark.kind === 'integrated' && !mark.isAway) look.see(mark.pid)
  }

  function hearKept(found: Kept): void {
    const isFull = found.refusedBytes > kept.refusedBytes
    kept = found
    const { run } = topShell(state)
    if (isFull && run !== null) options.runs.get(run.order.id)?.watch.onRefused?.()
  }

  /** A shell cannot say itself that the kernel sees it. */
  function sighted(mark: Mark): Mark {
    if (mark.kind !== 'integrated' || mark.level === 0) return mark
    return { ...mark, isAway: mark.isAway || !isInTerminal(mark.pid, hello.shellPid) }
  }

  for (const held of hello.marks) listen({ type: 'mark', mark: sighted(readMark(held)) })
  if (hello.marks.length > 0) listen({ type: 'caught-up' })
  if (hello.exit !== null) listen({ type: 'exit', exit: hello.exit })

  return {
    state: () => state,
    listen,
    order: (order: Order) => listen({ type: 'order', order }),
    events: eventsOf({ ...deps, sighted, hearKept, onClose: timer.stop }),
    kept: () => kept,
    look,
    isAtPrompt: () => isAtPrompt(state, hello.shellPid),
    until: createUntil(waiting, () => state),
  }
}

/** Nothing is in front of the session's own shell, which said that it waits: most prompts are sent so. */
function isAtPrompt(state: TerminalState, shellPid: number): boolean {
  const top = topShell(state)
  return (
    top.level === 0 &&
    isFree(top) &&
    top.typing.open === null &&
    foregroundOf(shellPid) === shellPid
  )
}

interface EventsDeps extends Pick<EffectDeps, 'state' | 'runs'> {
  listen(news: News): void
  sighted(mark: Mark): Mark
  hearKept(kept: Kept): void
  onClose(): void
}

/** The holder's events, as the fold hears them. */
function eventsOf({ state, runs, listen, sighted, hearKept, onClose }: EventsDeps): HolderEvents {
  const echo = createEcho()
  return {
    onData(offset, bytes) {
      echo.onData(bytes)
      const { run, track } = topShell(state())
      if (run !== null && track !== null && isPrinting(track))
        runs.get(run.order.id)?.onData(offset, bytes)
      listen({ type: 'data', head: offset + bytes.length })
    },
    onMark: (mark) => listen({ type: 'mark', mark: sighted(echo.complete(mark)) }),
    onExit: (exit) => listen({ type: 'exit', exit }),
    onKept: hearKept,
    onUninjected: ({ id, reason, isUnheard = false, isMoved = false, isWithdrawn = false }) =>
      listen({ type: 'uninjected', id, reason, isUnheard, isMoved, isWithdrawn }),
    onLate: ({ id }) => listen({ type: 'late', id }),
    onClose() {
      listen({ type: 'closed' })
      onClose()
    },
  }
}

/** A timer that is only ever moved to an earlier time: one that comes too early looks and is set again. */
function createTimer(wake: () => void): { set(at: number): void; stop(): void } {
  let timer: { at: number; handle: NodeJS.Timeout } | null = null

  function stop(): void {
    if (timer !== null) clearTimeout(timer.handle)
  }

  return {
    set(at) {
      if (at === Number.POSITIVE_INFINITY || (timer !== null && timer.at <= at)) return
      stop()
      const run = () => {
        timer = null
        wake()
      }
      timer = { at, handle: setTimeout(run, Math.max(0, at - performance.now())) }
    },
    stop,
  }
}

/** Nothing more will be heard. One that is being ended still says that it has. */
function isGone({ exit, ending }: TerminalState): boolean {
  return exit !== null || ending === 'left'
}

function createUntil(
  waiting: Set<(state: TerminalState) => void>,
  state: () => TerminalState,
): Until {
  return <T>(found: (state: TerminalState) => T | null, ms: number) =>
    new Promise<T | null>((resolve) => {
      const timer = setTimeout(() => done(null), ms)
      const done = (value: T | null) => {
        clearTimeout(timer)
        waiting.delete(look)
        resolve(value)
      }
      const look = (next: TerminalState) => {
        const value = found(next)
        if (value !== null || isGone(next)) done(value)
      }
      waiting.add(look)
      look(state())
    })
}
