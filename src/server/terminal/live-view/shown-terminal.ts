import type { TerminalUpdate } from '../../../protocol/stream/delta.ts'
import type { Hello } from '../../../protocol/holder/holder.ts'
import {
  driver,
  isTaken,
  mayType,
  readsSecret,
  secretReader,
  shownIntegration,
  shownPhase,
  topShell,
} from '../../../terminal/shells.ts'
import type { Size } from '../emulator/screen/screen.ts'
import type { HolderClient, HolderEvents } from '../holder/client.ts'
import { inputRefusals, type AttachedShell, type OwnedLiveView } from './live-view.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import type { TerminalState } from '../../../terminal/state.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'

/** The terminal's life: which shell is shown, if any. A live one says itself what it does. */
export type TerminalLife =
  | { at: 'none' | 'exited' | 'moved'; shown: null }
  /** The last shell is shown until the new one is there. */
  | { at: 'starting'; shown: AttachedShell | null }
  | { at: 'live'; shown: AttachedShell }

/** Those who look at the terminal, as far as its shell has to do with them. */
export interface Onlookers {
  /** A program has taken the whole screen. */
  isAlternate(): boolean
  /** A shell that could be adopted waits at its prompt. */
  hasNested(): boolean
  /** The terminal may be in another state now, of which nobody was told yet. */
  adapt(life: TerminalLife): void
  attach(hello: Hello, client: HolderClient): void
  push(offset: number, bytes: Buffer): void
  /** The holder answers no queries from here on. */
  quiet(offset: number): void
}

/** The terminal's shell, and what is told of it whether somebody looks or not. */
export function createShownTerminal(size: Size, onlookers: Onlookers) {
  /** The size, and whether somebody looks or did a moment ago: only then onlookers are asked and told. */
  const now = { size, isSeen: false }
  let life: TerminalLife = { at: 'none', shown: null }
  let end = 0
  let reported: TerminalUpdate | null = null
  let listener: (state: TerminalUpdate) => void = () => {}

  const client = () => life.shown?.client ?? null
  const state = () =>
    terminalUpdate(life, {
      size: now.size,
      isAlternate: now.isSeen && onlookers.isAlternate(),
      hasNested: now.isSeen && onlookers.hasNested(),
    })

  function changed(): void {
    if (now.isSeen) onlookers.adapt(life)
    const next = state()
    if (reported !== null && isSame(reported, next)) return
    reported = next
    listener(next)
  }

  function become(next: TerminalLife): void {
    life = next
    changed()
  }

  function attach(shown: AttachedShell, events: HolderEvents): HolderEvents {
    end = shown.hello.head
    onlookers.attach(shown.hello, shown.client)
    become({ at: 'live', shown })
    const isCurrent = () => life.shown === shown
    return {
      ...events,
      onData(offset, bytes) {
        events.onData(offset, bytes)
        if (!isCurrent()) return
        end = offset + bytes.length
        if (now.isSeen) onlookers.push(offset, bytes)
      },
      onQuiet: ({ offset }) => (isCurrent() ? onlookers.quiet(offset) : undefined),
      onClose() {
        events.onClose()
        if (isCurrent()) become({ at: 'exited', shown: null })
      },
    }
  }

  return {
    now,
    life: () => life,
    client,
    /** The stream's end as the holder said it; bytes that it skipped may still be on their way. */
    end: () => end,
    async heard(): Promise<number | null> {
      const isAnswered = (await client()?.sync()) ?? true
      return isAnswered ? end : null
    },
    state,
    changed,
    onState(next: typeof listener): void {
      listener = next
    },
    starting: () => become({ at: 'starting', shown: life.shown }),
    attach,
    moved: () => become({ at: 'moved', shown: null }),
  }
}

type Keyboard = Pick<OwnedLiveView, 'type' | 'typeSecret' | 'drive' | 'isTaken' | 'noInput'>

/** The keyboard of the shell that is shown, for people and for the model. */
export function createKeyboard(life: () => TerminalLife): Keyboard {
  const shell = () => life().shown?.shell ?? null

  function isTakenOver(): boolean {
    const state = shell()?.state()
    return state !== undefined && isTaken(state)
  }

  /** The shell, or why there is none to type into. */
  function typed(): Result<AttachedShell, Refusal> {
    const { at, shown } = life()
    return shown === null || phaseOf(life()) === 'exited'
      ? refused({ code: 'no_run', message: inputRefusals[at === 'moved' ? 'moved' : 'noShell'] })
      : ok(shown)
  }

  return {
    type(data) {
      const found = typed()
      if (!found.ok) return found.error
      const { shell } = found.value
      if (!mayType(topShell(shell.state()), data))
        return { code: 'not_driver', message: inputRefusals.notDriver }
      shell.type(data)
      return null
    },
    async typeSecret(data) {
      const found = typed()
      if (!found.ok) return found.error
      const { shell } = found.value
      if (!(await shell.hidesInput())) return { code: 'not_waiting', message: inputRefusals.shown }
      // The kernel has seen who reads it: a secret is the person's, also in a run of the model's.
      shell.type(data)
      return null
    },
    drive: (next) => shell()?.drive(next),
    isTaken: isTakenOver,
    noInput() {
      if (isTakenOver()) return inputRefusals.taken
      const state = shell()?.state()
      return state !== undefined && readsSecret(state) ? inputRefusals.secret : null
    },
  }
}

export function phaseOf({ at, shown }: TerminalLife): TerminalUpdate['phase'] {
  return at === 'live' ? shownPhase(shown.shell.state()) : at
}

function terminalUpdate(
  life: TerminalLife,
  { size, isAlternate, hasNested }: { size: Size; isAlternate: boolean; hasNested: boolean },
): TerminalUpdate {
  const state = life.shown?.shell.state() ?? null
  const shell = state && topShell(state)
  const screen = isAlternate ? 'alt' : 'line'
  return {
    type: 'terminal',
    phase: phaseOf(life),
    driver: state === null ? 'person' : driver(state),
    size,
    ...(state !== null && readsSecret(state) ? secretScreen(state) : { screen }),
    cwd: shell?.cwd ?? null,
    integration: shell === null ? 'none' : shownIntegration(shell),
    ...(hasNested && { hasNested }),
  }
}

function secretScreen(state: TerminalState): Pick<TerminalUpdate, 'screen' | 'program'> {
  const program = secretReader(state)
  return program ? { screen: 'secret', program } : { screen: 'secret' }
}

/** Whether an update is no news after another. */
function isSame(a: TerminalUpdate, b: TerminalUpdate): boolean {
  if (a.phase !== b.phase || a.driver !== b.driver || a.screen !== b.screen) return false
  return (
    a.cwd === b.cwd &&
    a.integration === b.integration &&
    a.hasNested === b.hasNested &&
    a.program === b.program &&
    a.size.rows === b.size.rows &&
    a.size.cols === b.size.cols
  )
}
