import type { HeldMark, Uninjected } from '../../../src/protocol/holder/holder.ts'
import { movingMarks } from '../../../src/protocol/holder/frames.ts'
import { hear } from '../../../src/holder/inject/hear.ts'
import {
  injecting,
  isEntering,
  isStale,
  keysMode,
  named,
} from '../../../src/holder/inject/select.ts'
import {
  type Effect,
  type Heard,
  type Injection,
  type InjectionState,
  startInjection,
} from '../../../src/holder/inject/state.ts'
import type { Key, Loaded, PlantedShell } from './planted-shell.ts'

/** A frame from the holder to a server. */
export type FromHolder =
  | { type: 'mark'; mark: HeldMark }
  | { type: 'uninjected'; uninjected: Uninjected }
  | { type: 'stated'; text: string; to: number }
  | { type: 'exit' }

/** A frame from a server to the holder. */
export type ToHolder =
  | { type: 'inject'; injection: Injection; level: number }
  | { type: 'keys'; keys: string }
  | { type: 'withdraw'; id: string }
  | { type: 'state'; question: string; to: number }
  /** The shell that reads now is to be the one of this level. */
  | { type: 'adopt'; level: number }
  | { type: 'kill' }
  | { type: 'acknowledge'; seq: number; level: number }

const kinds = new Set(['A', 'B', 'C', 'D', 'H', 'I', 'L', 'P'])
const nothing: Loaded | null = null

/**
 * The holder's own injection (its fold and the ways in which keys wait), around a planted shell. Marks come from the
 * shell when they are carried on, and go to the server the same way.
 */
export function createPlantedHolder(generation: number) {
  /** The truth about the shell at each mark after which a command may run elsewhere. */
  const states = new Map<number, string>()
  const outbox: FromHolder[] = []
  let held: readonly HeldMark[] = []
  let shell: PlantedShell
  let levels: InjectionState[] = []
  let file: Loaded | null = nothing
  let place = { stamp: 0, cwd: '' }
  let lastSeq = 0
  let lastState = ''
  let now = 0
  let typed: 'nothing' | 'text' | 'keys' = 'nothing'
  let promptPid: number | null = null
  let first: string | null = null
  let waiting: string[] = []
  let asked: ((text: string) => void) | null = null
  /** Keys that came since an adoption began; null while there is none. */
  let ahead: string[] | null = null
  let hasExited = false

  const injector = () => levels.at(-1)!

  function newInjection(pid: number, isOwn: boolean): InjectionState {
    return startInjection({ pid, alwaysBrackets: false, takesFiles: isOwn, patience: 1 })
  }

  function inject(heard: Heard): void {
    const step = hear(injector(), heard)
    levels = [...levels.slice(0, -1), step.state]
    for (const effect of step.effects) perform(effect)
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case 'load': {
        const { id, who, command, attempt } = effect.load
        file = { id, who, command: command.toString(), attempt }
        return press({ type: 'load' })
      }
      case 'press':
        return press({ type: effect.key === 'fresh' ? 'interrupt' : effect.key })
      case 'paste': {
        const { id, who, command, attempt } = injector().pending
        return press({ type: 'paste', load: { id, who, command: command.toString(), attempt } })
      }
      case 'look':
        return inject({ type: 'looked', reads: reads(), now })
      case 'scrub':
        file = nothing
        return
      case 'forget':
        return
      case 'tell':
        if (effect.told.type === 'uninjected') {
          waiting = waiting.filter((keys) => keys !== '\x03')
          outbox.push(effect.told)
        }
        if (effect.told.type === 'pasted')
          pass('I', [effect.told.id, '0', String(effect.told.attempt), ''], levels.length - 1)
        return
    }
  }

  /** Behind another shell it does not. */
  const reads = () =>
    shell.level() === levels.length - 1 && !shell.isRunning() && shell.keys.length === 0

  function press(key: Key): void {
    shell.keys.push(key)
  }

  function follow(): void {
    const mode = keysMode(injector())
    const isMeant = (keys: string) => mode === 'open' || (mode !== 'shut' && keys === '\x03')
    const meant = waiting.filter(isMeant)
    waiting = waiting.filter((keys) => !isMeant(keys))
    for (const keys of meant) write(keys)
  }

  function write(keys: string): void {
    if (keys === '\x03' && shell.isRunning()) shell.interrupt()
    else press(keys === '\x03' ? { type: 'interrupt' } : { type: 'line', text: keys.trimEnd() })
  }

  function pass(kind: HeldMark['kind'], fields: string[], level: number): void {
    lastSeq += 1
    if (movingMarks.has(kind)) {
      const cwd = kind === 'D' ? (fields[3] ?? '') : kind === 'C' ? place.cwd : ''
      place = { stamp: lastSeq, cwd }
      states.set(lastSeq, lastState)
    }
    const mark = {
      seq: lastSeq,
      kind,
      level,
      fields,
      offset: generation * 1_000_000 + lastSeq * 10,
      time: now,
    }
    held = [...held, mark]
    inject({ type: 'mark', kind, fields, place, now })
    follow()
    outbox.push({ type: 'mark', mark })
  }

  const isAtPrompt = () =>
    levels.length === 1 &&
    typed !== 'keys' &&
    promptPid === shell.pid &&
    ahead === null &&
    !isEntering(injector())

  function ask(question: string, answer: (text: string) => void): void {
    if (!isAtPrompt() || asked !== null) return answer('')
    asked = answer
    press({ type: 'state', question })
  }

  /** The shell lost the key: another one read it, or it was in some mode of its own. */
  function giveUpAsking(): void {
    if (asked === null) return
    const answer = asked
    asked = null
    if (reads() && isAtPrompt()) press({ type: 'interrupt' })
    answer('')
  }

  /**
   * From here on nothing of the shell around is typed, and keys wait for the shell that is adopted. It has read what was
   * typed before. If the one around it has a word to say yet, the adoption fails.
   */
  function adopt(level: number): void {
    const isQuiet = shell.said.length === 0 && shell.keys.length === 0
    const mayAdopt = isQuiet && ahead === null && !hasExited && injecting(injector()) === null
    if (mayAdopt && level === levels.length && shell.adopt()) ahead = []
  }

  /** The shell is adopted, or will not be: what was typed meanwhile goes to whatever reads. */
  function endAdoption(): void {
    const keys = ahead ?? []
    ahead = null
    for (const each of keys) write(each)
  }

  function takeKeys(keys: string): void {
    if (ahead !== null && keys !== '\x03') return void ahead.push(keys)
    if (ahead !== null) {
      shell.abandon(levels.length)
      endAdoption()
    }
    typed = 'keys'
    waiting.push(keys)
    follow()
  }

  function take(request: ToHolder): void {
    now += 1
    switch (request.type) {
      case 'inject': {
        const { injection, level } = request
        const isThere = level === levels.length - 1 && !hasExited
        if (isThere && ahead === null) return inject({ type: 'order', injection, place, now })
        const reason = isThere ? 'a shell is being adopted' : 'the shell it was for has ended'
        outbox.push({ type: 'uninjected', uninjected: { id: injection.id, reason } })
        return
      }
      case 'keys':
        return takeKeys(request.keys)
      case 'adopt':
        return adopt(request.level)
      case 'withdraw':
        inject({ type: 'withdraw', id: request.id, now })
        return follow()
      case 'acknowledge': {
        const { seq, level } = request
        const stays = (mark: HeldMark) =>
          mark.level < level || (mark.level === level && mark.kind === 'H')
        held = held.filter((mark) => mark.seq > seq || stays(mark))
        return
      }
      case 'kill':
        return shell.kill()
      case 'state': {
        const { question, to } = request
        if (question === '') return void outbox.push({ type: 'stated', text: first ?? '', to })
        return ask(question, (text) => outbox.push({ type: 'stated', text, to }))
      }
    }
  }

  /** Hears what the shell has said, one mark a time. */
  function hearShell(): void {
    now += 1
    const next = shell.said.shift()
    if (next === undefined) {
      if (!shell.isOver() || hasExited) return
      hasExited = true
      asked?.('')
      inject({ type: 'left', now })
      outbox.push({ type: 'exit' })
      return
    }
    const { kind, fields, level } = next
    lastState = next.state
    if (kind === 'S') {
      const answer = asked
      asked = null
      return answer?.(fields[0] ?? '')
    }
    if (kind === 'left') {
      const { unanswered } = injector()
      inject({ type: 'left', now })
      levels = levels.slice(0, level)
      if (unanswered > 0) inject({ type: 'littered', now })
      return pass('L', [], level)
    }
    if (level === 0 && kind === 'B') promptPid = Number(fields[1])
    if (kind === 'C' || kind === 'D') {
      if (level === 0) promptPid = null
      typed = 'nothing'
    }
    if (kind === 'H' && level >= levels.length) {
      levels = [...levels, newInjection(Number(fields[2]), level === 0)]
      endAdoption()
    }
    if (!isKind(kind) || level >= levels.length) return
    if (!isStale(injector(), kind, fields)) pass(kind, named(injector(), kind, fields), level)
    else {
      inject({ type: 'mark', kind, fields, place, now })
      follow()
    }
    // The first state is taken before anybody has a command brought in.
    if (kind === 'B' && first === null && injector().pending.attempt === 0)
      ask('first\0', (text) => {
        first = text
      })
  }

  return {
    generation,
    states,
    outbox,
    held: () => held,
    holds(planted: PlantedShell): void {
      shell = planted
    },
    readFile: () => file,
    place: () => place,
    hasExited: () => hasExited,
    entering: () => ('id' in injector().phase ? injector().pending.id : null),
    take,
    hearShell,
    /** A shell that does not answer for so long is looked at. */
    wait(): void {
      if (levels.length === 0 || hasExited) return
      now += 3_000
      giveUpAsking()
      inject({ type: 'time', now })
      follow()
    },
    /** A server goes: what it was to hear stays here as marks. */
    disconnect(): void {
      outbox.splice(0)
    },
  }
}

export type PlantedHolder = ReturnType<typeof createPlantedHolder>

function isKind(kind: string): kind is HeldMark['kind'] {
  return kinds.has(kind)
}
