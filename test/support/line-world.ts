import { hear } from '../../src/holder/inject/hear.ts'
import { keysMode, isStale, wakesAt } from '../../src/holder/inject/select.ts'
import {
  type Effect,
  type Heard,
  type Injection,
  type InjectionState,
  type Load,
  type Place,
  startInjection,
} from '../../src/holder/inject/state.ts'

/** One thing in the terminal's input, in the order it was written. */
type Key =
  | 'load'
  | 'accept'
  | 'restore'
  | 'fresh'
  | 'letter'
  | 'enter'
  | 'cd'
  | 'jump'
  | { pasted: string }

/** The line in the editor: a person's letters, or a command of ours. */
type Line = { of: 'person'; letters: number; isCd: boolean } | { of: 'us'; id: string }

interface News {
  kind: string
  fields: string[]
}

/** An accepted or pasted command. */
interface HandedOver {
  id: string
  /** Whether something was executed, or the folder changed, since the command was ordered. */
  hasMoved: boolean
  isStamped: boolean
}

export interface LineTrace {
  orders: Injection[]
  loads: Load[]
  accepted: { attempt: number; newest: number }[]
  handedOver: HandedOver[]
  /** Accepted after they were told as not run. */
  acceptedLate: string[]
  uninjected: string[]
  executed: string[]
  effects: Effect[]
  /** Steps after which a person could type behind a load key of ours that the shell had not read. */
  openBehindLoad: number
  /** Commands that nobody accepted, and that a person's Enter ran or would run. */
  strays: string[]
}

/** Kinds of marks after which a command may run elsewhere: said here once more, for the fold is what is tested. */
const moving = new Set(['C', 'D', 'H', 'L'])
const pid = 100
const noLine: Line = { of: 'person', letters: 0, isCd: false }

/**
 * A shell's line editor behind a terminal: it reads keys late, is stopped, loses a key, does not know our keys, runs what
 * it is given. What it says reaches the fold later, in order; what the fold wants done happens at once.
 */
export class LineWorld {
  state: InjectionState
  readonly trace: LineTrace = {
    orders: [],
    loads: [],
    accepted: [],
    handedOver: [],
    acceptedLate: [],
    uninjected: [],
    executed: [],
    effects: [],
    openBehindLoad: 0,
    strays: [],
  }
  private now = 1000
  private seq = 1
  private place: Place = { stamp: 1, cwd: '/' }
  private keys: Key[] = []
  private said: News[] = []
  private file: Load | null = null
  private line: Line = noLine
  private aside: Line = noLine
  private loadedAttempt = 0
  private running: { id: string | null; isOpen: boolean } | null = null
  private cwd = '/'
  private isStopped = false
  private isDeaf = false
  /** Somebody took our mark out of its prompt. */
  private isMute = false
  private losesKey = false
  isGone = false
  private executions = 0
  /** What was executed and where the shell was as each command was ordered. */
  private readonly ordered = new Map<string, { executions: number; cwd: string }>()

  /** The kernel does not tell who reads there. */
  private readonly isBlind: boolean

  constructor(isBlind: boolean) {
    this.isBlind = isBlind
    const patience = isBlind ? 4 : 1
    this.state = startInjection({ pid, alwaysBrackets: false, takesFiles: !isBlind, patience })
    // As every shell with our hooks does before its first prompt.
    this.say('D', '0', String(pid), '', this.cwd)
    this.hearAll()
  }

  get mode() {
    return keysMode(this.state)
  }

  step(choice: number): void {
    if (this.isGone) return
    const actions = this.actions()
    actions[choice % actions.length]?.(Math.floor(choice / actions.length))
    this.look()
  }

  private actions(): readonly ((rest: number) => void)[] {
    return [
      () => this.read(),
      () => this.read(),
      () => this.read(),
      () => this.hearNext(),
      () => this.hearNext(),
      () => this.hearAll(),
      (rest) => this.order(rest),
      (rest) => this.order(rest),
      (rest) => this.withdraw(rest),
      () => this.finish(),
      (rest) => this.pass(rest % 120),
      (rest) => this.pass(rest % 3000),
      (rest) => this.wait(rest % 1500),
      (rest) => this.type(rest),
      (rest) => this.type(rest),
      (rest) => this.seldom(rest),
    ]
  }

  private listen(heard: Heard): void {
    const step = hear(this.state, heard)
    this.state = step.state
    for (const effect of step.effects) {
      this.trace.effects.push(effect)
      this.perform(effect, heard)
    }
  }

  private perform(effect: Effect, heard: Heard): void {
    if (effect.type === 'load') {
      this.trace.loads.push(effect.load)
      this.file = effect.load
      this.keys.push('load')
    }
    if (effect.type === 'scrub') this.file = null
    if (effect.type === 'press' && effect.key === 'accept') this.onAccept(heard)
    if (effect.type === 'press')
      if (effect.key === 'interrupt') this.interrupt()
      else this.keys.push(effect.key)
    if (effect.type === 'paste') this.paste(this.state.pending.id)
    if (effect.type === 'look') this.listen({ type: 'looked', reads: this.reads(), now: this.now })
    if (effect.type === 'tell' && effect.told.type === 'uninjected')
      this.trace.uninjected.push(effect.told.uninjected.id)
  }

  private onAccept(heard: Heard): void {
    if (heard.type !== 'mark') throw new Error('accepted without the shell’s word')
    const [id = '', , attempt = ''] = heard.fields
    const newest = this.trace.loads.at(-1)?.attempt ?? 0
    this.trace.accepted.push({ attempt: Number(attempt), newest })
    if (this.trace.uninjected.includes(id)) this.trace.acceptedLate.push(id)
    this.onHandedOver(id)
  }

  private onHandedOver(id: string): void {
    const ordered = this.ordered.get(id)
    const order = this.trace.orders.find((each) => each.id === id)
    const hasMoved = ordered?.executions !== this.executions || ordered.cwd !== this.cwd
    this.trace.handedOver.push({ id, hasMoved, isStamped: order?.stamp !== null })
  }

  private reads(): boolean | null {
    if (this.isBlind) return null
    return !this.isStopped && this.running === null && this.keys.length === 0
  }

  /** The shell reads one key. */
  private read(): void {
    if (this.isStopped || this.running !== null) return
    const key = this.keys.shift()
    if (key === undefined) return
    // Behind a key that takes the next one as it is, one of ours is nothing but text.
    // That an accept key was lost can be told only of a shell that says when it begins, and that can be looked at.
    const isSeen = this.state.known.saysStart && !this.isBlind
    const isLosable = key === 'load' || (key === 'accept' && isSeen)
    if (this.losesKey && isLosable) {
      this.losesKey = false
      return
    }
    if (typeof key === 'object') return this.execute(key.pasted)
    if (key === 'fresh') return this.clearLine()
    if (key === 'letter' || key === 'cd') return this.write(key === 'cd')
    if (key === 'enter') return this.enter()
    // A key of the line editor that changes the folder, of which no mark tells.
    if (key === 'jump') return this.jump()
    if (this.isDeaf) return this.write(false)
    if (key === 'load') this.load()
    if (key === 'restore') this.restore()
    if (key === 'accept') this.enter()
  }

  private paste(id: string): void {
    this.onHandedOver(id)
    this.keys.push({ pasted: id })
  }

  private jump(): void {
    this.cwd = this.cwd === '/' ? '/home' : '/'
  }

  private write(isCd: boolean): void {
    if (this.line.of === 'us') return
    this.line = { of: 'person', letters: this.line.letters + 1, isCd: this.line.isCd || isCd }
  }

  private load(): void {
    const { file } = this
    if (file === null || file.attempt === this.loadedAttempt) return this.say('I', '', '0', '', '')
    if (this.line.of === 'person' && this.line.letters > 0) this.aside = this.line
    const aside = this.aside.of === 'person' ? this.aside.letters : 0
    this.line = { of: 'us', id: file.id }
    this.loadedAttempt = file.attempt
    this.say('I', file.id, String(aside), String(file.attempt), this.cwd)
    this.prompt()
  }

  private restore(): void {
    if (this.line.of === 'us') this.line = noLine
    if (this.aside.of === 'person' && this.aside.letters > 0) this.line = this.aside
    this.aside = noLine
  }

  private enter(): void {
    const { line } = this
    this.line = noLine
    if (line.of === 'us') return this.execute(line.id)
    if (line.letters === 0) return this.end(null)
    this.executions += 1
    this.say('C')
    if (line.isCd) this.cwd = this.cwd === '/' ? '/tmp' : '/'
    this.running = { id: null, isOpen: false }
  }

  private execute(id: string): void {
    const index = this.trace.orders.findIndex((each) => each.id === id)
    if (!this.trace.handedOver.some((each) => each.id === id)) this.trace.strays.push(id)
    this.trace.executed.push(id)
    this.executions += 1
    this.line = noLine
    // A comment is never executed, an open quote waits for more.
    if (index % 7 === 5) return this.end(id)
    this.running = { id, isOpen: index % 7 === 3 }
    this.say(this.running.isOpen ? 'P' : 'C')
    if (index % 5 === 2) this.cwd = '/tmp'
  }

  private finish(): void {
    if (this.running === null || this.isStopped) return
    const { id, isOpen } = this.running
    this.running = null
    if (isOpen) this.say('C')
    this.end(id)
  }

  private end(id: string | null): void {
    this.say('D', '0', String(pid), id ?? '', this.cwd)
    this.prompt()
  }

  private prompt(): void {
    this.say('A')
    if (!this.isMute) this.say('B', '0', String(pid))
  }

  private clearLine(): void {
    this.line = noLine
    this.end(null)
  }

  /** A signal: it is not behind the keys that were written before it. */
  private interrupt(): void {
    if (this.isStopped) return void this.keys.push('fresh')
    if (this.running === null) return this.clearLine()
    this.finish()
  }

  private say(kind: string, ...fields: string[]): void {
    this.said.push({ kind, fields })
  }

  private hearNext(): void {
    const news = this.said.shift()
    if (news === undefined) return
    const { kind, fields } = news
    if (moving.has(kind)) {
      this.seq += 1
      this.place = { stamp: this.seq, cwd: kind === 'D' ? (fields[3] ?? '') : this.place.cwd }
    }
    isStale(this.state, kind, fields)
    this.listen({ type: 'mark', kind, fields, place: this.place, now: this.now })
  }

  private hearAll(): void {
    while (this.said.length > 0) this.hearNext()
  }

  private order(rest: number): void {
    const id = `o${this.trace.orders.length}`
    const model = rest % 2 === 0
    const stale = rest % 9 === 0
    const order: Injection = {
      id,
      model,
      asFile: rest % 5 === 0,
      private: !model && rest % 3 === 0,
      stamp: model ? this.place.stamp - (stale ? 1 : 0) : null,
      command: Buffer.from(rest % 4 === 0 ? 'a\nb' : 'true'),
    }
    // What the shell executed so far and has not said yet counts as heard only when it is.
    this.ordered.set(id, { executions: this.heardExecutions(), cwd: this.place.cwd })
    this.trace.orders.push(order)
    this.listen({ type: 'order', injection: order, place: this.place, now: this.now })
  }

  private heardExecutions(): number {
    const unheard = this.said.filter(({ kind }) => kind === 'C' || kind === 'P').length
    return this.executions - unheard
  }

  private withdraw(rest: number): void {
    const order = this.trace.orders.at(-1 - (rest % 2))
    if (order !== undefined) this.listen({ type: 'withdraw', id: order.id, now: this.now })
  }

  private type(rest: number): void {
    if (this.mode !== 'open') return
    const keys: Key[] = ['letter', 'letter', 'enter', 'cd', 'fresh', 'jump']
    this.keys.push(keys[rest % keys.length] ?? 'letter')
  }

  private seldom(rest: number): void {
    // A paste goes to a shell that read a moment ago, and is run at once.
    const hasPaste = this.keys.some((key) => typeof key === 'object')
    if (rest % 5 === 0 && !hasPaste && !this.isBlind) this.isStopped = !this.isStopped
    if (rest % 5 === 1) this.losesKey = !hasPaste
    if (rest % 5 === 2 && this.line === noLine) {
      this.isDeaf = !this.isDeaf
      this.isMute = this.isDeaf && rest % 2 === 0
    }
    if (rest % 5 === 3) this.listen({ type: 'text', bytes: Buffer.from('\x1b[?2004h') })
    if (rest % 41 === 4) this.leave()
  }

  /** The shell has ended. */
  private leave(): void {
    this.isGone = true
    this.listen({ type: 'left', now: this.now })
  }

  private pass(ms: number): void {
    // Nobody can tell that such a shell is late: all of it rests on its answering in time.
    while (this.isBlind && this.keys.length > 0) {
      this.finish()
      this.read()
    }
    if (this.isBlind) this.hearAll()
    this.now += ms
    if (wakesAt(this.state) <= this.now) this.listen({ type: 'time', now: this.now })
    // A paste goes to a shell that read a moment ago: it is read before anything else can happen.
    if (this.keys.some((key) => typeof key === 'object')) this.isStopped = false
    while (this.keys.some((key) => typeof key === 'object') && this.running === null) this.read()
    this.hearAll()
  }

  private wait(ms: number): void {
    for (let round = 0; round < 8; round += 1) this.pass(ms)
  }

  private look(): void {
    // Nobody's Enter reaches the line of a shell that has ended.
    if (this.isGone) return
    const isQuiet = this.keys.length === 0 && this.said.length === 0
    if (this.mode === 'open' && this.state.phase.at === 'idle' && isQuiet && this.line.of === 'us')
      this.trace.strays.push(this.line.id)
    if (this.mode === 'open' && !this.isBlind && this.keys.includes('load'))
      this.trace.openBehindLoad += 1
  }

  /** Lets the shell answer all that it was asked. */
  rest(): void {
    if (this.isGone) return
    this.isStopped = false
    this.isDeaf = false
    this.losesKey = false
    this.isMute = false
    if (this.running === null) this.prompt()
    for (let round = 0; round < 200; round += 1) {
      this.finish()
      this.read()
      this.hearAll()
      if (round % 4 === 3) this.pass(round % 8 === 3 ? 130 : 1000)
    }
  }

  /** What is left when all is at rest. */
  left() {
    return { phase: this.state.phase.at, mode: this.mode, line: this.line.of }
  }
}
