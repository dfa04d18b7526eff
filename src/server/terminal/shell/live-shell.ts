import type { Hello, Kept } from '../../../protocol/holder.ts'
import { hear } from '../../../terminal/hear.ts'
import { startTerminal } from '../../../terminal/start.ts'
import type { Heard } from '../../../terminal/heard.ts'
import { topShell, wakesAt } from '../../../terminal/select.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import { isPrinting } from '../../../terminal/track.ts'
import type { HolderClient, HolderEvents } from '../holder-client.ts'
import { readMark } from '../read-mark.ts'
import { isInTerminal } from '../same-terminal.ts'
import type { Mark } from '../../../terminal/mark.ts'
import { createEcho } from './echo.ts'
import { createEffectDoer, type EffectDoerDeps } from './do-effects.ts'
import { createShellLook, type ShellLook } from './look-at-shell.ts'
import { createWaiters, type Until } from './wait-for-state.ts'

type News = Heard extends infer Each ? (Each extends Heard ? Omit<Each, 'now'> : never) : never

/** One living shell behind its holder: the state, what it follows from, and who acts on it. */
export interface LiveShell {
  state(): TerminalState
  listen(news: News): void
  events: HolderEvents
  kept(): Kept
  look: ShellLook
  until: Until
}

export interface LiveShellOptions extends Omit<EffectDoerDeps, 'state' | 'listen' | 'look'> {
  hello: Hello
  client: HolderClient
  /** The state may be another one now. */
  onChange(): void
}

/** Holds the one copy of the terminal's state, and lets nothing but the fold change it. */
export function createLiveShell(options: LiveShellOptions): LiveShell {
  const { hello, client, onChange } = options
  const echo = createEcho()
  const look = createShellLook(client, hello.pts)
  const waiters = createWaiters()
  let state = startTerminal({ ...hello, entering: hello.injecting })
  let { kept } = hello
  let timer: { at: number; handle: NodeJS.Timeout } | null = null
  const doer = createEffectDoer({
    ...options,
    look,
    state: () => state,
    listen,
  })

  function listen(news: News): void {
    const before = state
    const step = hear(state, { ...news, now: performance.now() })
    state = step.state
    for (const effect of step.effects) doer.perform(effect)
    if (state === before) return
    if (news.type === 'mark') seeShell(news.mark)
    wake()
    waiters.look(state)
    // Output alone is no news but for those whom it is sent to.
    if (news.type !== 'data' || step.effects.length > 0) onChange()
  }

  /** A shell is itself from its first word on; one that took its place is another. */
  function seeShell(mark: Mark): void {
    if (mark.kind !== 'integrated' || mark.isAway) return
    look.see(mark.pid)
  }

  /** A timer is only ever moved to an earlier time: one that comes too early looks and is set again. */
  function wake(): void {
    const at = wakesAt(state)
    if (at === Number.POSITIVE_INFINITY || (timer !== null && timer.at <= at)) return
    if (timer !== null) clearTimeout(timer.handle)
    const handle = setTimeout(
      () => {
        timer = null
        listen({ type: 'time' })
        wake()
      },
      Math.max(0, at - performance.now()),
    )
    timer = { at, handle }
  }

  /** Whether a shell is out of the kernel's sight is not for that shell to say. */
  function sighted(mark: Mark): Mark {
    if (mark.kind !== 'integrated' || mark.level === 0) return mark
    return { ...mark, isAway: mark.isAway || !isInTerminal(mark.pid, hello.shellPid) }
  }

  for (const held of hello.marks) listen({ type: 'mark', mark: sighted(readMark(held)) })
  if (hello.marks.length > 0) listen({ type: 'caught-up' })
  if (hello.exit !== null) listen({ type: 'exit', exit: hello.exit })

  const events: HolderEvents = {
    onData(offset, bytes) {
      echo.onData(bytes)
      const { run, track } = topShell(state)
      if (run !== null && track !== null && isPrinting(track)) doer.onData(run, offset, bytes)
      listen({ type: 'data', head: offset + bytes.length })
    },
    onMark: (mark) => listen({ type: 'mark', mark: sighted(echo.complete(mark)) }),
    onExit: (exit) => listen({ type: 'exit', exit }),
    onKept(found) {
      const isFull = found.refusedBytes > kept.refusedBytes
      kept = found
      const { run } = topShell(state)
      if (isFull && run !== null) options.runs.get(run.order.id)?.watch.onRefused?.()
    },
    onUninjected: ({ id, reason, isUnheard = false, isMoved = false, isWithdrawn = false }) =>
      listen({ type: 'uninjected', id, reason, isUnheard, isMoved, isWithdrawn }),
    onLate: ({ id }) => listen({ type: 'late', id }),
    onClose() {
      listen({ type: 'closed' })
      if (timer !== null) clearTimeout(timer.handle)
    },
  }
  return { state: () => state, listen, events, kept: () => kept, look, until: waiters.until }
}
