import type { TerminalUpdate } from '../../../protocol/stream/delta.ts'
import type { Hello } from '../../../protocol/holder/holder.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import type { Size } from '../emulator/screen/screen.ts'
import type { HolderClient, HolderEvents } from '../holder/client.ts'
import type { Look, Looked } from '../byte-log/read-screen.ts'
import type { ShellSession } from '../shell/session.ts'
import type { ViewerSink } from './viewer.ts'

/** Sentences for those whose keys are not taken: a person's, then the model's. */
export const inputRefusals = {
  noShell: 'There is no shell to type into; run something first.',
  moved: 'The terminal has moved to another session.',
  notDriver: 'The model is using the terminal. Take over to type; Ctrl+C always works.',
  taken: 'the user has taken over the keyboard',
  secret: 'it reads a secret, which only the user types',
  shown: 'Nothing reads a secret now, so it was not typed: it would be shown.',
} as const

export interface Viewport extends Size {
  visible: boolean
}

export interface LiveViewSink extends ViewerSink {
  /** The terminal has another size from here on. */
  resized(): void
}

export interface LiveViewer {
  ack(offset: number): void
  viewport(viewport: Viewport): void
  close(): void
}

export interface ViewOptions {
  from: number | null
  viewport: Viewport
  /** A shell is wanted in place of one that has moved away. */
  start?: boolean
}

/** The live terminal as people see it and type into it. */
export interface LiveView {
  /** The bytes from `from` on, or a snapshot and what follows; nothing is sent before it returns. */
  view(sink: LiveViewSink, options: ViewOptions): LiveViewer
  type(data: string): Refusal | null
  /** A line for a program that reads without showing it, if one does at this moment. */
  typeSecret(data: string): Promise<Refusal | null>
  head(): number
  state(): TerminalUpdate
}

/** The same for the session that it belongs to. */
export interface SessionLiveView extends LiveView {
  drive(driver: 'person' | 'model'): void
  /** Why nothing of the model's can be typed now; null: it can. */
  noInput(): string | null
  /** The stream's end, once all that the holder has of it was heard; null when it does not answer. */
  heard(): Promise<number | null>
  onState(listener: (state: TerminalUpdate) => void): void
}

/** A shell that the live view shows, behind its holder. */
export interface AttachedShell {
  hello: Hello
  client: HolderClient
  shell: Pick<ShellSession, 'state' | 'type' | 'drive' | 'hidesInput'>
}

/** The same for the terminal, which tells it what happens. */
export interface OwnedLiveView extends SessionLiveView {
  starting(): void
  /** Listens along on a holder's connection. */
  attach(shown: AttachedShell, events: HolderEvents): HolderEvents
  /** The shell's state may be another one now. */
  changed(): void
  /** A person took the keyboard from the model whose run is on. */
  isTaken(): boolean
  /** Draws the screen as the model may see it. */
  readScreen(wanted: Look): Promise<Looked>
  /** Takes the size that the model wants; says why not, or null. */
  resize(size: Size): Promise<string | null>
  /** Puts the screen aside as it is now, with the holder. */
  putAside(): Promise<void>
  /** The shell is another session's: what is shown is how it was left. */
  moved(): void
  close(): void
}
