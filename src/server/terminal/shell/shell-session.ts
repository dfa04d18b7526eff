import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Hello } from '../../../protocol/holder.ts'
import { ok } from '../../../protocol/result.ts'
import { inputText } from '../../../session/input-text.ts'
import { nothing } from '../../../session/record-text.ts'
import type { Order } from '../../../terminal/heard.ts'
import { isFree, shownIntegration, topShell } from '../../../terminal/select.ts'
import type { Shell } from '../../../terminal/state.ts'
import { createAskNames } from '../ask-names.ts'
import { endMs } from '../end-holder.ts'
import type { HolderClient, HolderEvents } from '../holder-client.ts'
import { killHolder } from '../kill-holder.ts'
import { linkedCwd } from '../linked-cwd.ts'
import { createProbe } from '../probe/probe.ts'
import { isStartedAnew, lastChild } from '../shell-image.ts'
import type { Sent } from '../terminal.ts'
import { within } from '../within.ts'
import { createAdoption } from './adoption.ts'
import { createLiveShell } from './live-shell.ts'
import { createRuns, type RunsDeps } from './runs.ts'
import type { ShellSession } from './session.ts'
import { infoOf } from './shell-info.ts'
import { createInOrder } from './tell-in-order.ts'
import { createTeller, type TellerDeps } from './teller.ts'

export interface ShellSessionOptions
  extends Omit<RunsDeps, 'pts' | 'shell'>, Omit<TellerDeps, 'generation' | 'client' | 'kept'> {
  hello: Hello
  client: HolderClient
  /** A program has taken the whole screen. */
  isAlternate(): Promise<boolean>
  onChange(): void
  diagnose(error: unknown): void
}

/** A shell found dead is reported after the run that died with it, if someone resumes it by then. */
const reportDeadMs = 250
/** So long a prompt may take to be drawn while somebody waits for the shell. */
const promptMs = 3_000
/** Who looks, or types a name, waits no longer for a slow prompt; what was there before has to do. */
const drawnMs = 200

/** So long a killed shell may take to be gone. */
const restartMs = 3_000
const { SIGKILL } = constants.signals

/** One living shell behind its holder, and those that were adopted inside it. */
export function createShellSession(options: ShellSessionOptions): {
  session: ShellSession
  events: HolderEvents
} {
  const { hello, client } = options
  const { generation, pts, shellPid } = hello
  const inOrder = createInOrder(options.diagnose)
  let onClosed: () => void = () => {}
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve
  })
  const isLate = hello.exit !== null || hello.marks.some(({ kind }) => kind === 'L')
  if (isLate) inOrder.tell(() => delay(reportDeadMs))
  const teller = createTeller({ ...options, generation, kept: () => live.kept() })
  const runs = createRuns({ ...options, pts, shell: () => live })
  const live = createLiveShell({
    ...options,
    runs: runs.watched,
    inOrder,
    tell: teller.tell,
    adopt: () => adoption.byItself(),
    onRestart: () => onRestart(),
    endHolder,
  })
  const { isAlternate } = options
  const adoption = createAdoption({ client, basePid: shellPid, pts, isAlternate, live, inOrder })
  const asked = createAskNames(client)
  const state = () => live.state()
  const top = () => topShell(state())
  const order = (wanted: Order) => live.listen({ type: 'order', order: wanted })
  const untilPrompt = (ms: number) => live.until((next) => atPrompt(topShell(next)), ms)

  async function drawn(): Promise<void> {
    const { phase } = top()
    if (phase === 'returning' || phase === 'answered') await untilPrompt(drawnMs)
  }

  const events: HolderEvents = {
    ...live.events,
    onClose() {
      live.events.onClose()
      onClosed()
    },
  }

  /** A run that ended with the shell before this server came is asked for first, and its end stored. */
  function endHolder(): void {
    if (!isLate) return client.end()
    setTimeout(() => (runs.watched.size === 0 ? client.end() : undefined), reportDeadMs)
  }

  /** A shell that is killed is gone at once; else it or its holder hangs, and the holder goes too. */
  function onRestart(): void {
    client.signal('session', SIGKILL)
    const forcing = setTimeout(killHolder, restartMs, hello.pid)
    void live.until(({ exit }) => exit, restartMs).then((exit) => exit && clearTimeout(forcing))
  }

  async function names() {
    await drawn()
    const [base] = state().shells
    const isNamed = isFree(base) && shownIntegration(base) !== 'none'
    const isAtPrompt = state().exit === null && top() === base && isNamed
    return asked.names({ isAtPrompt, stamp: state().stamp })
  }

  const session: ShellSession = {
    state,
    type(keys) {
      live.listen({ type: 'key', keys })
      runs.watched.get(top().run?.order.id ?? '')?.onTyped()
    },
    drive: (driver) => order({ type: 'drive', driver }),
    info: () => infoOf(state(), { shellPid, generation }),
    // Of a shell on another machine this one's files say nothing.
    cwd: () => (top().isSeen ? (top().cwd ?? linkedCwd(top().pid)) : null),
    isReady: () => state().shells[0].phase !== 'starting',
    async front(shell) {
      const seen = await createProbe({ shellPid, pts }).look()
      const isReplaced = live.look.replaced(shellPid) === 'shell' || isStartedAnew(shellPid, shell)
      return { seen, isOwn: seen.pid === shellPid, isReplaced, child: lastChild(shellPid) }
    },
    onReplaced: () => order({ type: 'replaced' }),
    ready: async (ms) => (await live.until(({ shells: [base] }) => atPrompt(base), ms)) !== null,
    sync: client.sync,
    head: () => state().head,
    async caughtUp() {
      if (state().shells.length === 1 && state().gone.length === 0) await inOrder.told()
    },
    drawn,
    async isAtRest() {
      if (state().shells.length > 1 || (await untilPrompt(promptMs)) === null) return false
      const probed = await client.probe()
      return probed === null || probed.foreground === shellPid
    },
    forget(before) {
      client.forget(before)
      return true
    },
    run(run, watch) {
      adoption.onRun()
      return runs.run(run, watch)
    },
    resume: runs.resume,
    settle(id) {
      runs.forget(id)
      order({ type: 'settle', id })
    },
    async send(input, sending): Promise<Sent> {
      const text = input.type === 'interrupt' ? ok(null) : inputText(input)
      if (!text.ok) return { refused: text.error, state: 'running', output: nothing }
      const { run, typing } = top()
      const watched = run === null ? undefined : runs.watched.get(run.order.id)
      if (watched !== undefined) return watched.send(text.value, sending)
      return typing.open === null
        ? { refused: 'nothing is running', state: 'ended', output: nothing }
        : { refused: 'the user runs a program of their own', state: 'running', output: nothing }
    },
    keep: () => order({ type: 'keep' }),
    names,
    adopt: adoption.byHand,
    async interrupt(signal) {
      order({ type: 'signal', signal })
      if (signal === 'restart') await live.until((next) => next.exit, restartMs + 1_000)
    },
    async give(place) {
      order({ type: 'end', how: 'left' })
      await client.move(place)
      client.disconnect()
    },
    leave() {
      order({ type: 'end', how: 'left' })
      client.disconnect()
    },
    async end() {
      const answered = client.sync()
      order({ type: 'end', how: 'closed' })
      client.end()
      return (await answered) && within(endMs, closed)
    },
  }
  return { session, events }
}

function atPrompt(shell: Shell): Shell | null {
  return shell.phase === 'prompt' ? shell : null
}
