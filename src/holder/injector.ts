import type { InjectionKeys, Uninjected } from '../protocol/holder.ts'
import type { WayIn, Load } from './way-in.ts'
import { isBracketed, isTypable, pasteKeys } from './paste.ts'

export interface Injection {
  id: string
  /** For the model: an environment without pagers. */
  model: boolean
  /** Too long for a line editor: it is sourced from a file. */
  asFile: boolean
  /** Nothing of it may stay behind. */
  private: boolean
  /** The mark after which it was allowed; null: it is a person's, and goes wherever the shell is. */
  stamp: number | null
  command: Buffer
}

export interface InjectorOptions {
  way: WayIn
  keys: InjectionKeys
  /** Its line editor takes pastes in brackets without saying so at each prompt. */
  alwaysBrackets: boolean
  shellPid: number
  write: (bytes: Buffer) => void
  onUninjected: (uninjected: Uninjected) => void
  /** A command is in the line without the shell's saying so: said in its place. */
  onPasted: (id: string) => void
}

export interface Injector {
  inject: (injection: Injection) => void
  onMark: (kind: string, fields: readonly string[]) => void
  onText: (bytes: Buffer) => void
  /** Of a load that comes too late: its line is being cleared, and the command will be entered anew. */
  isStale: (kind: string) => boolean
  /** A mark's fields; of a pasted command, which the shell knows no name of, with its name. */
  named: (kind: string, fields: string[]) => string[]
  /** From its loading to its execution: prompts drawn meanwhile are no news. */
  isEntering: () => boolean
  /** The run whose command is not yet accepted. */
  injecting: () => string | null
  /** The shell is gone: nothing more is typed for it. */
  leave: () => void
}

type Phase =
  | { at: 'idle' }
  | { at: 'loading'; id: string; timer: NodeJS.Timeout }
  // The line editor was in some mode of its own; it is asked for a new line, and then once more. One
  // that does not know our keys gets the command as a paste.
  | { at: 'clearing'; id: string; timer: NodeJS.Timeout; next: Next; isBracketed: boolean }
  | { at: 'pasting'; id: string; timer: NodeJS.Timeout; isBracketed: boolean }
  | { at: 'accepted'; restore: boolean; ran: boolean; pasted: string | null }

type Next = 'load' | 'paste'

const nothing: Load = { id: '', who: 'person', line: Buffer.alloc(0) }
/** A line editor answers within a millisecond; a machine that swaps may take this long. */
const ackMs = 2000
/** What a program left unread is typed at the prompt, and may be a key that begins a search. */
const firstAckMs = 1000
/** The last command had to be pasted: the keys are likely still unknown. */
const deafAckMs = 250
/** After the prompt, a line editor says how it wants pastes. */
const settleMs = 50
const interrupt = Buffer.from('\x03')
const untaken = { reason: 'the shell did not take it' }
const gone = { reason: 'the shell it was for has ended' }
const unheard = { reason: 'the shell does not answer', isUnheard: true }

/**
 * Brings a command into the shell's line editor: its bytes by file, one key to load them, and only
 * after the shell acknowledged, one to accept. It happens here and not in the server so that a server
 * that dies half-way leaves no half-entered command, and because it saves a round trip.
 */
export function createInjector(options: InjectorOptions): Injector {
  const { way, keys, alwaysBrackets, shellPid, write, onUninjected, onPasted } = options
  const accept = Buffer.from(keys.accept)
  const restore = Buffer.from(keys.restore)
  const fresh = Buffer.from(keys.fresh)
  const patient = (ms: number) => ms * way.patience
  let phase: Phase = { at: 'idle' }
  let late: string | null = null
  let pending = nothing
  let isDeaf = false
  /** What the shell believes to be the command's name. */
  let lastName = ''
  let isPrivate = false
  let unacknowledged: NodeJS.Timeout | undefined

  function giveUp(id: string, uninjected: Omit<Uninjected, 'id'>): void {
    phase = { at: 'idle' }
    late = id
    if (isPrivate) way.scrub()
    onUninjected({ id, ...uninjected })
  }

  function clear(id: string, next: Next): void {
    const timer =
      next === 'load'
        ? setTimeout(clear, patient(firstAckMs), id, 'paste')
        : setTimeout(giveUp, patient(ackMs), id, unheard)
    phase = { at: 'clearing', id, timer, next, isBracketed: alwaysBrackets }
    write(next === 'load' ? interrupt : fresh)
  }

  /** The prompt is there, on a new line. */
  function onCleared(clearing: Phase & { at: 'clearing' }): void {
    const { id, isBracketed } = clearing
    clearTimeout(clearing.timer)
    if (clearing.next === 'load') return loadAgain(id)
    // The shell would keep it in its history.
    if (isPrivate) return giveUp(id, { reason: 'the line editor does not know our keys' })
    phase = { at: 'pasting', id, timer: setTimeout(paste, settleMs), isBracketed }
  }

  function paste(): void {
    if (phase.at !== 'pasting') return
    const { id, isBracketed } = phase
    const { line } = pending
    const typed = isTypable(line) ? line : way.sourced(line)
    if (typed === null) return giveUp(id, untaken)
    isDeaf = true
    phase = { at: 'accepted', restore: false, ran: false, pasted: id }
    unacknowledged = setTimeout(giveUp, patient(ackMs), id, untaken)
    write(pasteKeys(typed, isBracketed))
    onPasted(id)
  }

  function loadAgain(id: string): void {
    phase = { at: 'loading', id, timer: setTimeout(clear, patient(ackMs), id, 'paste') }
    write(way.load(pending))
  }

  function inject({ id, model, asFile, command, ...injection }: Injection): void {
    if (phase.at !== 'idle' && phase.at !== 'accepted') {
      return onUninjected({ id, reason: 'another command is being entered' })
    }
    const line = asFile ? way.sourced(command) : command
    if (line === null) return onUninjected({ id, ...untaken })
    isPrivate = injection.private
    pending = { id, who: model ? 'model' : isPrivate ? 'private' : 'person', line }
    // The key first: while the shell takes it there is time for the rest.
    write(way.load(pending))
    const timer = isDeaf
      ? setTimeout(clear, patient(deafAckMs), id, 'paste')
      : setTimeout(clear, patient(firstAckMs), id, 'load')
    phase = { at: 'loading', id, timer }
  }

  function onLoaded(id: string, mustRestore: boolean): void {
    // Said by ourselves.
    if (phase.at === 'accepted' && phase.pasted === id) return
    isDeaf = false
    lastName = id
    if (phase.at === 'loading' && phase.id === id) {
      clearTimeout(phase.timer)
      phase = { at: 'accepted', restore: mustRestore, ran: false, pasted: null }
      write(accept)
      if (isPrivate) way.scrub()
    } else if (id === late) {
      // It was reported as not run, so it must not run now.
      late = null
      write(restore)
    }
  }

  function onMark(kind: string, fields: readonly string[]): void {
    if (kind === 'I') return onLoaded(fields[0] ?? '', fields[1] !== '0')
    // Another shell's prompt may look the same, and is not ours to type at.
    const isOurs = kind === 'B' && Number(fields[1]) === shellPid
    if (phase.at === 'clearing' && isOurs) onCleared(phase)
    else if (phase.at === 'accepted') follow(phase, kind)
  }

  function follow(accepted: Phase & { at: 'accepted' }, kind: string): void {
    // Loading redraws the prompt; only one after something ran, or was read, is the next prompt.
    if (kind === 'C' || kind === 'D') {
      clearTimeout(unacknowledged)
      phase = { ...accepted, ran: true }
    }
    if (kind !== 'B' || !accepted.ran) return
    if (accepted.restore) write(restore)
    if (isPrivate) way.forget()
    phase = { at: 'idle' }
  }

  function onText(bytes: Buffer): void {
    if (phase.at !== 'clearing' && phase.at !== 'pasting') return
    phase = { ...phase, isBracketed: isBracketed(bytes, phase.isBracketed) }
  }

  function named(kind: string, fields: string[]): string[] {
    if (kind !== 'D' || phase.at !== 'accepted' || phase.pasted === null) return fields
    return fields[2] === lastName ? fields.with(2, phase.pasted) : fields
  }

  const isStale = (kind: string) =>
    kind === 'I' && (phase.at === 'clearing' || phase.at === 'pasting')
  const isEntering = () => phase.at !== 'idle' && !(phase.at === 'accepted' && phase.ran)
  const injecting = () => ('id' in phase ? phase.id : null)

  function leave(): void {
    clearTimeout(unacknowledged)
    if (!('id' in phase)) return
    clearTimeout(phase.timer)
    giveUp(phase.id, gone)
  }

  return { inject, onMark, onText, isStale, named, isEntering, injecting, leave }
}
