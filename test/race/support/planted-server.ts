import type { ShellReport } from '../../../src/protocol/events/shell.ts'
import { readMark } from '../../../src/server/terminal/holder/read-mark.ts'
import { createAskState } from '../../../src/server/terminal/shell/ask-state.ts'
import type { Effect } from '../../../src/terminal/effect.ts'
import { hear } from '../../../src/terminal/hear.ts'
import type { Incoming } from '../../../src/terminal/incoming.ts'
import type { RunOrder, Verdict } from '../../../src/terminal/shell/run.ts'
import { topShell } from '../../../src/terminal/shells.ts'
import { startTerminal } from '../../../src/terminal/state.ts'
import type { FromHolder, PlantedHolder, ToHolder } from './planted-holder.ts'

type News = Incoming extends infer Each
  ? Each extends Incoming
    ? Omit<Each, 'now'>
    : never
  : never

type Told = { type: 'report'; report: ShellReport } | { type: 'over'; tell(): void }

/** A run that is over, as the terminal tells it. */
export interface RunOver {
  verdict: Verdict
  cwd: string | null
}

/**
 * A server's terminal: its fold and its questions to the shell are the product's own. What the holder says is heard
 * when it is carried on, and so is what it is told.
 */
export function createPlantedServer(holder: PlantedHolder) {
  const requests: ToHolder[] = []
  /** Reports and ends of runs, in the order in which the terminal tells them. */
  const reports: Told[] = []
  const drained: { after: number; done: () => void }[] = []
  let told = 0
  const pulls = new Map<number, (text: string) => void>()
  const overs = new Map<string, (over: RunOver) => void>()
  let questions = 0
  let now = 1_000
  let state = startTerminal({
    generation: holder.generation,
    shellPid: holder.generation * 100 + 1,
    head: 0,
    entering: holder.entering(),
  })

  function listen(news: News): void {
    now += 1
    const step = hear(state, { ...news, now })
    state = step.state
    for (const effect of step.effects) perform(effect)
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case 'inject': {
        const { id, command, by, isPrivate, stamp } = effect.run.order
        const injection = { id, model: by === 'model', asFile: false, private: isPrivate, stamp }
        const { level } = effect
        requests.push({
          type: 'inject',
          level,
          injection: { ...injection, command: Buffer.from(command) },
        })
        return
      }
      case 'withdraw':
        return void requests.push({ type: 'withdraw', id: effect.run })
      case 'type':
        return void requests.push({ type: 'keys', keys: effect.text })
      case 'signal':
        return void requests.push({ type: 'keys', keys: '\x03' })
      case 'restart':
        return void requests.push({ type: 'kill' })
      case 'report':
        return void reports.push({ type: 'report', report: effect.report })
      case 'ended': {
        const { verdict, run } = effect
        const over = overs.get(run.order.id)
        overs.delete(run.order.id)
        const ended = { verdict, cwd: topShell(state).cwd }
        if (over !== undefined) reports.push({ type: 'over', tell: () => over(ended) })
        return
      }
      case 'acknowledge':
        return void requests.push(effect)
      // Looks at processes and limits of time: nobody here gives an answer.
      case 'adopt':
      case 'end-holder':
      case 'measure':
      case 'probe':
      case 'status':
      case 'timeout':
      case 'unwatch':
      case 'waits':
      case 'watch':
        return
    }
  }

  const client = {
    state: (question: Uint8Array) =>
      new Promise<Buffer>((answer) => {
        questions += 1
        const to = questions
        pulls.set(to, (text) => answer(Buffer.from(text, 'latin1')))
        requests.push({ type: 'state', question: Buffer.from(question).toString('latin1'), to })
      }),
  }
  const { liveState, onKeys } = createAskState({
    client,
    hello: { tellsState: true },
    // A prompt that is not drawn yet is not waited for.
    live: { state: () => state, until: async (found) => found(state) },
  })

  for (const mark of holder.held()) listen({ type: 'mark', mark: readMark(mark) })
  if (holder.held().length > 0) listen({ type: 'caught-up' })
  if (holder.hasExited()) listen({ type: 'exit', exit: { code: 0, signal: null, time: 0 } })

  function order(run: RunOrder, isResumed: boolean): Promise<RunOver> {
    return new Promise((over) => {
      overs.set(run.id, over)
      listen({
        type: 'order',
        order: isResumed ? { type: 'resume', run, at: now } : { type: 'run', run },
      })
    })
  }

  function hearHolder(heard: FromHolder): void {
    switch (heard.type) {
      case 'mark':
        return listen({ type: 'mark', mark: readMark(heard.mark) })
      case 'uninjected': {
        const {
          id,
          reason,
          isUnheard = false,
          isMoved = false,
          isWithdrawn = false,
        } = heard.uninjected
        return listen({ type: 'uninjected', id, reason, isUnheard, isMoved, isWithdrawn })
      }
      case 'stated':
        return pulls.get(heard.to)?.(heard.text)
      case 'exit':
        return listen({ type: 'exit', exit: { code: 0, signal: null, time: now } })
    }
  }

  return {
    requests,
    reports,
    liveState,
    acknowledge: (seq: number, level: number) => requests.push({ type: 'acknowledge', seq, level }),
    /** The next report or end; those who wait for it go on once it is told. */
    next: () => reports.shift(),
    onTold(): void {
      told += 1
      for (const each of drained) if (each.after <= told) each.done()
    },
    reported: () =>
      new Promise<void>((done) => {
        if (reports.length === 0) done()
        else drained.push({ after: told + reports.length, done })
      }),
    stamp: () => state.stamp,
    level: () => topShell(state).level,
    cwd: () => topShell(state).cwd,
    order,
    stop: (id: string) => listen({ type: 'order', order: { type: 'stop', id } }),
    settle: (id: string) => listen({ type: 'order', order: { type: 'settle', id } }),
    adopt: () => requests.push({ type: 'adopt', level: topShell(state).level + 1 }),
    restart: () => listen({ type: 'order', order: { type: 'signal', signal: 'restart' } }),
    /** A person presses Enter after this, or Ctrl+C. */
    type(keys: string): void {
      onKeys()
      listen({ type: 'key', keys })
    },
    /** Hears the next that the holder sent. */
    hearHolder(): void {
      const next = holder.outbox.shift()
      if (next !== undefined) hearHolder(next)
    },
    /** Carries the next frame to the holder. */
    send(): void {
      const next = requests.shift()
      if (next !== undefined) holder.take(next)
    },
  }
}

export type PlantedServer = ReturnType<typeof createPlantedServer>
