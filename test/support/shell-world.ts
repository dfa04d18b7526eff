import type { Effect } from '../../src/terminal/effect.ts'
import { hear } from '../../src/terminal/hear.ts'
import { startTerminal, type TerminalState } from '../../src/terminal/state.ts'
import type { Incoming, Mark } from '../../src/terminal/incoming.ts'
import { topShell } from '../../src/terminal/shells.ts'
import { wakesAt } from '../../src/terminal/time/deadlines.ts'
import type { RunOrder } from '../../src/terminal/shell/run.ts'

/** What a simulated shell runs: how it came there, and how it ends. */
interface Program {
  id: string | null
  command: string
  code: number
  /** Lines that are executed one after the other, each with marks of its own. */
  lines: number
  hasBegun: boolean
  need: 'waiting' | 'secret' | 'raw' | null
}

interface WorldShell {
  pid: number
  program: Program | null
  /** The prompt is being drawn. */
  isReturning: boolean
  /** It waits for the rest of an incomplete line. */
  isOpen: boolean
  lastId: string
}

type News = Incoming extends infer Each
  ? Each extends Incoming
    ? Omit<Each, 'now'>
    : never
  : never

/** Everything that the fold did, in order. */
export interface Trace {
  effects: { at: TerminalState; effect: Effect }[]
  /** Commands that the shell really executed, in order, and how they ended. */
  executed: { id: string | null; level: number; code: number | null }[]
  /** Commands that were to go in, and the last mark then after which one may run elsewhere. */
  injected: { order: RunOrder; stamp: number }[]
  orders: RunOrder[]
  keys: { keys: string; driver: 'person' | 'model'; typed: boolean }[]
  typed: number
}

/** Kinds of marks after which a command may run elsewhere: said here once more, for the fold is what is tested. */
const moving = new Set(['output-start', 'output-end', 'integrated', 'left'])

/** One number decides one step, so that fast-check can shrink a history. */
export type Choice = number

/**
 * A shell behind a holder, as far as its marks go: it takes commands, runs them, draws prompts late, starts other
 * shells, dies. What it says reaches the fold later, in order; what the fold wants done happens at once.
 */
export class ShellWorld {
  state: TerminalState
  readonly trace: Trace = {
    effects: [],
    executed: [],
    injected: [],
    orders: [],
    keys: [],
    typed: 0,
  }
  private now = 1000
  private seq = 0
  private offset = 0
  private nextPid = 100
  private shells: WorldShell[]
  private said: News[] = []
  private asked: (Effect & { type: 'probe' | 'measure' })[] = []
  private isDead = false
  private readonly taken = new Set<string>()
  private secret: string | null = null
  private heardStamp = 0
  private isClosed = false
  private held: { level: number; id: string; command: string; stamp: number | null } | null = null

  constructor() {
    this.shells = [this.newShell()]
    this.state = startTerminal({ generation: 1, shellPid: 100, head: 0, entering: null })
    this.mark({
      kind: 'integrated',
      shell: 'bash',
      version: '5.2',
      pid: 100,
      place: '',
      isAway: false,
    })
    this.prompt()
    this.hearAll()
  }

  private newShell(): WorldShell {
    const pid = this.nextPid
    this.nextPid += 1
    return { pid, program: null, isReturning: false, isOpen: false, lastId: '' }
  }

  private get top(): WorldShell {
    return this.shells.at(-1)!
  }

  private mark(mark: DistributedMark, level = this.shells.length - 1): number {
    this.seq += 1
    const place = { seq: this.seq, offset: this.offset, time: this.now, level }
    this.said.push({ type: 'mark', mark: { ...place, ...mark } })
    return this.seq
  }

  private print(bytes: number): void {
    this.offset += bytes
    this.said.push({ type: 'data', head: this.offset })
  }

  private prompt(): void {
    const { pid } = this.top
    this.top.isReturning = false
    this.mark({ kind: 'prompt-start' })
    this.print(2)
    this.mark({ kind: 'prompt', code: 0, pid, line: this.seq })
    this.enter()
  }

  /** The holder brings a command in once the shell reads. */
  private enter(): void {
    const { held } = this
    const shell = this.top
    if (held === null || shell.program !== null || shell.isReturning) return
    this.held = null
    const lines = held.command.includes('\n') ? 2 : 1
    this.mark({
      kind: 'loaded',
      id: held.id,
      restores: held.command.includes('kept'),
      attempt: 1,
      cwd: null,
    })
    this.mark({ kind: 'prompt-start' })
    this.mark({ kind: 'prompt', code: 0, pid: shell.pid, line: this.seq })
    shell.lastId = held.id
    if (held.command.startsWith('#')) return this.refuse(shell, 0)
    if (held.command.startsWith('"')) {
      shell.isOpen = true
      return void this.mark({ kind: 'continuation', closed: false })
    }
    const code = held.command.length % 5
    shell.program = { id: held.id, command: held.command, code, lines, hasBegun: false, need: null }
  }

  /** Nothing is executed, but the line has an end. */
  private refuse(shell: WorldShell, code: number): void {
    const { pid, lastId } = shell
    shell.isOpen = false
    this.mark({ kind: 'output-end', code, pid, id: lastId, cwd: null })
    this.prompt()
  }

  private begin(program: Program): void {
    program.hasBegun = true
    const typed = {
      text: program.command,
      length: program.command.length,
      line: null,
      isShown: true,
    }
    this.mark({ kind: 'output-start', typed: program.id === null ? typed : null })
    const level = this.shells.length - 1
    this.trace.executed.push({ id: program.id, level, code: null })
  }

  private finish(shell: WorldShell, code: number): void {
    const { program } = shell
    if (program === null) return
    if (!program.hasBegun) this.begin(program)
    this.print(3)
    const id = program.id ?? shell.lastId
    program.lines -= 1
    this.mark({ kind: 'output-end', code, pid: shell.pid, id, cwd: `/d${this.seq % 3}` })
    const record = this.trace.executed.findLast((each) => each.id === program.id)
    if (record) record.code = code
    if (program.lines > 0 && code < 128) {
      this.mark({ kind: 'output-start', typed: null })
      return
    }
    shell.program = null
    shell.isReturning = true
  }

  /** Tells the fold the next thing that was said. */
  private hearNext(): boolean {
    const news = this.said.shift()
    if (news === undefined) return false
    this.listen(news)
    return true
  }

  private hearAll(): void {
    while (this.hearNext()) {}
  }

  private listen(news: News): void {
    if (news.type === 'mark' && moving.has(news.mark.kind)) this.heardStamp = news.mark.seq
    // Whoever has a shell adopted has the keyboard.
    if (news.type === 'mark' && news.mark.kind === 'integrated')
      this.taken.add(this.state.shells[news.mark.level - 1]?.run?.order.id ?? '')
    const step = hear(this.state, { ...news, now: this.now })
    this.state = step.state
    for (const effect of step.effects) {
      this.trace.effects.push({ at: this.state, effect })
      this.perform(effect)
    }
  }

  private perform(effect: Effect): void {
    if (effect.type === 'probe') this.asked.push(effect)
    // What it needed is what the shell inside needs now.
    if (effect.type === 'unwatch') this.secret = null
    if (effect.type === 'inject') this.inject(effect)
    if (effect.type === 'type' && effect.text === '\x03') this.interrupt()
    if (effect.type === 'signal') this.interrupt()
    if (effect.type === 'restart') this.die('SIGKILL')
    if (effect.type === 'withdraw') this.withdraw(effect.run)
    if (effect.type === 'measure') this.asked.push(effect)
  }

  private inject({ level, run }: Effect & { type: 'inject' }): void {
    this.trace.injected.push({ order: run.order, stamp: this.heardStamp })
    const { id, command, stamp } = run.order
    if (this.isDead) return
    const isTop = level === this.shells.length - 1
    // As the holder does: the shell has moved on since the fold heard of it.
    const isMoved = stamp !== null && stamp !== this.lastMoving()
    if (!isTop || isMoved || this.top.program !== null) {
      const reason = isMoved ? 'moved' : 'the shell it was for has ended'
      this.said.push({
        type: 'uninjected',
        id,
        reason,
        isUnheard: false,
        isMoved,
        isWithdrawn: false,
      })
      return
    }
    this.held = { level, id, command, stamp }
    // A shell that does not read is waited for.
    if (command.length % 2 === 0) this.said.push({ type: 'late', id })
    else this.enter()
  }

  /** As the holder does: what the shell has not taken is taken back. */
  private withdraw(id: string): void {
    if (this.held?.id !== id) return
    this.held = null
    const reason = 'it was stopped before the shell took it'
    this.said.push({
      type: 'uninjected',
      id,
      reason,
      isUnheard: false,
      isMoved: false,
      isWithdrawn: true,
    })
  }

  private lastMoving(): number {
    const unheard = this.said.findLast((news) => news.type === 'mark' && moving.has(news.mark.kind))
    return unheard?.type === 'mark' ? unheard.mark.seq : this.heardStamp
  }

  private interrupt(): void {
    const shell = this.top
    if (shell.program?.hasBegun && shell.program.command.length % 3 !== 0) this.finish(shell, 130)
    else if (shell.program === null && !shell.isReturning && !this.isDead) this.refuse(shell, 130)
  }

  private die(signal: string | null): void {
    if (this.isDead) return
    this.isDead = true
    this.held = null
    this.said.push({
      type: 'exit',
      exit: { code: signal === null ? 0 : null, signal, time: this.now },
    })
  }

  /** One step of a random history. */
  step(choice: Choice): void {
    const actions = this.actions()
    const action = actions[choice % actions.length]!
    action(Math.floor(choice / actions.length))
  }

  private actions(): readonly ((rest: number) => void)[] {
    return [
      () => this.hearNext(),
      () => this.hearNext(),
      () => this.hearAll(),
      (rest) => this.order(rest),
      (rest) => this.order(rest),
      () => this.advance(),
      () => this.advance(),
      () => this.advance(),
      (rest) => this.pass(rest % 400),
      (rest) => this.pass(rest % 12_000),
      (rest) => this.answer(rest),
      (rest) => this.type(rest),
      (rest) => this.typeCommand(rest),
      (rest) => this.want(rest),
      (rest) => this.foreground(rest),
      (rest) => this.nest(rest),
      (rest) => this.seldom(rest),
    ]
  }

  private order(rest: number): void {
    const commands = ['true', 'sleep 1', 'a\nb', 'kept line', 'cd /', '# no', '"open']
    const command = commands[rest % commands.length]!
    const by = rest % 2 === 0 ? 'model' : 'person'
    const stamp = by === 'model' ? (rest % 7 === 0 ? this.heardStamp - 1 : this.heardStamp) : null
    const order: RunOrder = {
      id: `run-${this.trace.orders.length}`,
      command,
      by,
      isPrivate: rest % 11 === 0,
      timeoutMs: rest % 3 === 0 ? 5_000 : 0,
      stamp,
    }
    this.trace.orders.push(order)
    this.listen({ type: 'order', order: { type: 'run', run: order } })
  }

  /** What the innermost shell does next by itself. */
  private advance(): void {
    if (this.isDead) return
    const shell = this.top
    if (this.held !== null) this.enter()
    else if (shell.program !== null && !shell.program.hasBegun) this.begin(shell.program)
    else if (shell.program !== null) this.finish(shell, shell.program.code)
    else if (shell.isReturning) this.prompt()
  }

  private pass(ms: number): void {
    this.now += ms
    if (wakesAt(this.state) <= this.now) this.listen({ type: 'time' })
  }

  private answer(rest: number): void {
    const probe = this.asked.shift()
    if (probe === undefined) return
    if (probe.type === 'measure')
      return this.listen({ type: 'worked', run: probe.run, hasWorked: rest % 2 === 0 })
    const { level, why } = probe
    const shell = this.shells[level]
    const isAtPrompt = shell !== undefined && shell.program === null && !shell.isReturning
    const foreground = isAtPrompt ? (shell?.pid ?? 0) : 9
    const known = {
      foreground,
      minds: rest % 2 === 0,
      keysOff: rest % 5 === 0,
      takesKeys: rest % 3 === 0,
      ignores: rest % 4 === 0,
      replaced: null,
    }
    const answer = rest % 9 === 0 ? null : { ...known, isAtPrompt, isReading: isAtPrompt }
    this.listen({ type: 'probed', level, why, probe: answer })
  }

  private type(rest: number): void {
    const keys = rest % 4 === 0 ? '\x03' : 'x'
    const before = this.trace.effects.length
    const who = this.expectedDriver()
    this.listen({ type: 'key', keys })
    const typed = this.trace.effects.slice(before).some(({ effect }) => effect.type === 'type')
    this.trace.keys.push({ keys, driver: who, typed })
  }

  /** As DESIGN has it, from what happened and not from what the fold says of it. */
  private expectedDriver(): 'person' | 'model' {
    const { run } = topShell(this.state)
    if (run?.order.by !== 'model' || this.taken.has(run.order.id)) return 'person'
    return this.secret === run.order.id ? 'person' : 'model'
  }

  private typeCommand(rest: number): void {
    const shell = this.top
    const isFree =
      !this.isDead &&
      !shell.isOpen &&
      shell.program === null &&
      !shell.isReturning &&
      this.held === null
    if (!isFree) return
    this.trace.typed += 1
    shell.program = {
      id: null,
      command: `typed ${rest}`,
      code: rest % 4,
      lines: 1,
      hasBegun: false,
      need: null,
    }
    this.begin(shell.program)
  }

  private want(rest: number): void {
    const order = this.trace.orders.at(-(1 + (rest % 2)))
    const signals = ['int', 'term', 'kill'] as const
    const kinds = rest % 5
    if (kinds === 0 && order) this.listen({ type: 'order', order: { type: 'stop', id: order.id } })
    if (kinds === 1)
      this.listen({ type: 'order', order: { type: 'signal', signal: signals[rest % 3]! } })
    if (kinds === 2) this.drive(rest % 2 === 0 ? 'person' : 'model')
    if (kinds === 3) this.listen({ type: 'order', order: { type: 'keep' } })
    if (kinds === 4 && order)
      this.listen({ type: 'order', order: { type: 'settle', id: order.id } })
  }

  private drive(who: 'person' | 'model'): void {
    const id = topShell(this.state).run?.order.id ?? ''
    if (who === 'person') this.taken.add(id)
    else this.taken.delete(id)
    this.listen({ type: 'order', order: { type: 'drive', driver: who } })
  }

  private foreground(rest: number): void {
    const { run, track } = topShell(this.state)
    const states = ['running', 'waiting', 'secret', 'raw', 'prompt', 'unknown'] as const
    // Only what has begun is looked at.
    if (run === null || !track?.from) return
    const seen = { state: states[rest % 6]!, program: 'x', replaced: null }
    this.secret = seen.state === 'secret' ? run.order.id : null
    this.listen({ type: 'foreground', run: run.order.id, foreground: seen })
  }

  /** A program is a shell of its own and is adopted; or one that was is left. */
  private nest(rest: number): void {
    if (this.isDead) return
    if (this.top.program?.hasBegun && this.shells.length < 3) {
      const shell = this.newShell()
      this.shells.push(shell)
      const isAway = rest % 3 === 0
      this.mark({
        kind: 'integrated',
        shell: 'bash',
        version: '5.2',
        pid: shell.pid,
        place: 'me@there',
        isAway,
      })
      this.prompt()
    } else if (this.shells.length > 1) this.leave()
  }

  private leave(): void {
    this.held = null
    const level = this.shells.length - 1
    this.shells.pop()
    this.mark({ kind: 'left' }, level)
  }

  private seldom(rest: number): void {
    if (rest % 6 === 0) this.die(rest % 2 === 0 ? null : 'SIGSEGV')
    if (rest % 6 === 1 && this.isDead) this.close()
    if (rest % 23 === 2) this.close()
    if (rest % 6 === 3) this.listen({ type: 'caught-up' })
  }

  private close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.isDead = true
    this.said.push({ type: 'closed' })
  }

  /** Lets all that goes on come to its end. */
  rest(): void {
    for (let round = 0; round < 60 && !this.isDead; round += 1) {
      this.hearAll()
      this.answer(1)
      if (this.top.program === null && !this.top.isReturning && this.shells.length > 1) this.leave()
      else this.advance()
      this.pass(500)
    }
    this.hearAll()
    this.die(null)
    this.hearAll()
  }
}

type DistributedMark = Mark extends infer Each
  ? Each extends Mark
    ? Omit<Each, 'seq' | 'offset' | 'time' | 'level'>
    : never
  : never
