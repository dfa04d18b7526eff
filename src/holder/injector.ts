import type { Uninjected } from '../protocol/holder.ts'
import {
  type Injection,
  type Injector,
  type InjectorOptions,
  moved,
  type Next,
  nothing,
  type Phase,
  type Stage,
} from './injection.ts'
import type { KeysMode } from './keys.ts'
import { isBracketed, isTypable, pasteKeys } from './paste.ts'

/** A line editor answers within a millisecond; a machine that swaps may take this long. */
const ackMs = 2000
/** What a program left unread is typed at the prompt, and may be a key that begins a search. */
const firstAckMs = 1000
/** The last command had to be pasted: the keys are likely still unknown. */
const deafAckMs = 250
/** Between two looks at a shell that did not answer. */
const lookMs = 100
/** After the prompt, a line editor says how it wants pastes. */
const settleMs = 50
const interrupt = Buffer.from('\x03')
const untaken = { reason: 'the shell did not take it' }
const gone = { reason: 'the shell it was for has ended' }
const withdrawn = { reason: 'it was stopped before the shell took it', isWithdrawn: true }
const unheard = { reason: 'the shell does not answer', isUnheard: true }

/**
 * Brings a command into the shell's line editor: its bytes by file, one key to load them, and only
 * after the shell acknowledged, one to accept. It happens here and not in the server so that a server
 * that dies half-way leaves no half-entered command, and because it saves a round trip.
 */
export function createInjector(options: InjectorOptions): Injector {
  const { way, keys, alwaysBrackets, shellPid, reads, place, write, onUninjected, onPasted } =
    options
  const accept = Buffer.from(keys.accept)
  const restore = Buffer.from(keys.restore)
  const fresh = Buffer.from(keys.fresh)
  const patient = (ms: number) => ms * way.patience
  let phase: Phase = { at: 'idle' }
  let late: string | null = null
  let pending = nothing
  /** Whether its keys are known there, and what the shell believes to be the command's name. */
  let shell = { isDeaf: false, name: '', saysStart: false }
  /** Load keys without an answer: what is typed behind one would end up in the command's line. */
  let unanswered = 0
  let unacknowledged: NodeJS.Timeout | undefined

  function giveUp(id: string, uninjected: Omit<Uninjected, 'id'>): void {
    phase = { at: 'idle' }
    late = id
    // A key that is still unread finds nothing to load.
    way.scrub()
    // Only a shell that knows the keys will answer them.
    if (uninjected.isWithdrawn !== true && uninjected.isMoved !== true) unanswered = 0
    if (unanswered > 0) setTimeout(awaitAnswer, lookMs)
    onUninjected({ id, ...uninjected })
  }

  function press(): void {
    unanswered += 1
    write(way.load(pending))
  }

  /** A shell that reads, and still does a moment later, does not know the key. */
  function awaitAnswer(hasRead = false): void {
    if (unanswered === 0) return
    const isReading = reads()
    if (isReading !== null && !(isReading && hasRead))
      return void setTimeout(awaitAnswer, lookMs, isReading)
    unanswered = 0
    options.onSettled()
  }

  /**
   * Time is up. A shell that does not read has not seen our key, and will when it reads again: it is waited for,
   * for a Ctrl+C would take the person's line away. One that reads, and still does a moment later, does not know it.
   */
  function whenDeaf(act: () => void, hasRead = false): void {
    if (!('id' in phase)) return
    const isReading = reads()
    if (isReading === null || (isReading && hasRead)) return act()
    if (!isReading && !pending.isLate) options.onLate(phase.id)
    if (!isReading) pending = { ...pending, isLate: true }
    phase = { ...phase, timer: setTimeout(whenDeaf, lookMs, act, isReading) }
  }

  const after = (ms: number, act: () => void) => setTimeout(whenDeaf, patient(ms), act)

  function clear(id: string, next: Next): void {
    const timer =
      next === 'load'
        ? after(firstAckMs, () => clear(id, 'paste'))
        : after(ackMs, () => giveUp(id, unheard))
    phase = { at: 'clearing', id, timer, next, isBracketed: alwaysBrackets }
    write(next === 'load' ? interrupt : fresh)
  }

  /** The prompt is there, on a new line. */
  function onCleared(clearing: Phase & { at: 'clearing' }): void {
    const { id, isBracketed } = clearing
    clearTimeout(clearing.timer)
    // Our own Ctrl+C has moved it.
    if (pending.stamp !== null) pending = { ...pending, stamp: place().stamp }
    if (clearing.next === 'load') return loadAgain(id)
    // The shell would keep it in its history.
    if (pending.who === 'private')
      return giveUp(id, { reason: 'the line editor does not know our keys' })
    phase = { at: 'pasting', id, timer: setTimeout(paste, settleMs), isBracketed }
  }

  function paste(): void {
    if (phase.at !== 'pasting') return
    const { id, isBracketed } = phase
    const { line } = pending
    const typed = isTypable(line) ? line : way.sourced(line)
    if (typed === null) return giveUp(id, untaken)
    shell = { ...shell, isDeaf: true }
    phase = { at: 'accepted', restore: false, stage: 'handed', pasted: id }
    unacknowledged = setTimeout(giveUp, patient(ackMs), id, untaken)
    write(pasteKeys(typed, isBracketed))
    onPasted(id, pending.attempt)
  }

  function loadAgain(id: string): void {
    phase = { at: 'loading', id, timer: after(ackMs, () => clear(id, 'paste')) }
    pending = { ...pending, attempt: pending.attempt + 1 }
    press()
  }

  function inject({ id, model, asFile, command, ...injection }: Injection): void {
    if (phase.at !== 'idle' && phase.at !== 'accepted') {
      return onUninjected({ id, reason: 'another command is being entered' })
    }
    const line = asFile ? way.sourced(command) : command
    if (line === null) return onUninjected({ id, ...untaken })
    const who = model ? 'model' : injection.private ? 'private' : 'person'
    const { stamp } = injection
    pending = { id, who, line, attempt: pending.attempt + 1, stamp, isLate: false }
    // The key first: while the shell takes it there is time for the rest.
    press()
    const timer = shell.isDeaf
      ? after(deafAckMs, () => clear(id, 'paste'))
      : after(firstAckMs, () => clear(id, 'load'))
    phase = { at: 'loading', id, timer }
  }

  const isNewest = ([id = '', , attempt = '']: readonly string[]) =>
    id === pending.id && Number(attempt) === pending.attempt

  /** Something was executed, or the shell is elsewhere, since the command was allowed. */
  function hasMoved(fields: readonly string[]): boolean {
    if (pending.stamp === null) return false
    const [now, cwd] = [place(), fields.slice(3).join(';')]
    return now.stamp !== pending.stamp || (cwd !== '' && now.cwd !== '' && cwd !== now.cwd)
  }

  function refuse(id: string): void {
    // First, for what a person types may follow at once.
    write(restore)
    giveUp(id, moved)
    late = null
  }

  function onLoaded(fields: readonly string[]): void {
    const [id = '', aside = '0'] = fields
    // Said by ourselves.
    if (phase.at === 'accepted' && phase.pasted === id) return
    unanswered = Math.max(0, unanswered - 1)
    // Nothing was loaded: it was taken back, or is there already.
    if (id === '') return
    shell = { ...shell, isDeaf: false, name: id }
    if (phase.at === 'loading' && isNewest(fields)) {
      clearTimeout(phase.timer)
      if (hasMoved(fields)) return refuse(id)
      phase = { at: 'accepted', restore: aside !== '0', stage: 'handed', pasted: null }
      write(accept)
      unacknowledged = setTimeout(ifUntaken, patient(ackMs), id)
      if (pending.who === 'private') way.scrub()
    } else if (id === late && phase.at === 'idle') {
      // It was reported as not run, so it must not run now. Another that is on its way takes its place by itself.
      late = null
      write(restore)
    }
  }

  /** A shell that reads again, and has not said that it began, did not take the line: something was in its way. */
  function ifUntaken(id: string, hasRead = false): void {
    if (phase.at !== 'accepted' || phase.stage !== 'handed' || !shell.saysStart) return
    const isReading = reads() === true
    if (!isReading || !hasRead) {
      unacknowledged = setTimeout(ifUntaken, lookMs, id, isReading)
      return
    }
    write(restore)
    giveUp(id, untaken)
  }

  function onMark(kind: string, fields: readonly string[]): void {
    if (kind === 'C') shell.saysStart = true
    if (kind === 'I') return onLoaded(fields)
    // Another shell's prompt may look the same, and is not ours to type at.
    const isOurs = kind === 'B' && Number(fields[1]) === shellPid
    if (phase.at === 'clearing' && isOurs) onCleared(phase)
    else if (phase.at === 'accepted') follow(phase, kind)
  }

  function follow(accepted: Phase & { at: 'accepted' }, kind: string): void {
    // Loading redraws the prompt; only one after something ran, or was read, is the next prompt.
    if (kind === 'C' || kind === 'D') {
      clearTimeout(unacknowledged)
      phase = { ...accepted, stage: kind === 'C' ? 'runs' : 'over' }
    }
    if (kind === 'P' && accepted.stage === 'handed') phase = { ...accepted, stage: 'more' }
    if (kind !== 'B' || !hasRun(accepted)) return
    if (accepted.restore) write(restore)
    if (pending.who === 'private') way.forget()
    phase = { at: 'idle' }
  }

  function onText(bytes: Buffer): void {
    if (phase.at !== 'clearing' && phase.at !== 'pasting') return
    phase = { ...phase, isBracketed: isBracketed(bytes, phase.isBracketed) }
  }

  function named(kind: string, fields: string[]): string[] {
    if (kind !== 'D' || phase.at !== 'accepted' || phase.pasted === null) return fields
    return fields[2] === shell.name ? fields.with(2, phase.pasted) : fields
  }

  function isStale(kind: string, fields: readonly string[]): boolean {
    if (kind !== 'I') return false
    if (phase.at === 'accepted' && phase.pasted !== null) return fields[0] !== phase.pasted
    return phase.at !== 'loading' || !isNewest(fields)
  }

  const isEntering = () => phase.at !== 'idle' && !(phase.at === 'accepted' && hasRun(phase))
  const injecting = () => ('id' in phase ? phase.id : null)

  function withdraw(id: string): void {
    if (!('id' in phase) || phase.id !== id) return
    clearTimeout(phase.timer)
    giveUp(id, withdrawn)
  }

  function keysMode(): KeysMode {
    // What a person types waits for the answer; Ctrl+C does not.
    if (phase.at === 'idle') return unanswered > 0 ? 'kept' : 'open'
    if (phase.at !== 'accepted' || phase.stage === 'handed') return 'shut'
    if (!phase.restore) return 'open'
    return phase.stage === 'runs' ? 'spare' : 'kept'
  }

  function leave(): void {
    clearTimeout(unacknowledged)
    if (!('id' in phase)) return
    clearTimeout(phase.timer)
    giveUp(phase.id, gone)
  }

  return {
    inject,
    onMark,
    onText,
    isStale,
    named,
    isEntering,
    injecting,
    withdraw,
    keysMode,
    leave,
  }
}

function hasRun({ stage }: { stage: Stage }): boolean {
  return stage === 'runs' || stage === 'over'
}
