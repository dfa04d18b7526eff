import type { TerminalUpdate } from '../../../protocol/delta.ts'
import type { Hello } from '../../../protocol/holder.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { Size } from '../emulator/screen.ts'
import type { HolderClient, HolderEvents } from '../holder-client.ts'
import type { Look, Looked } from '../look.ts'
import type { ShellSession } from '../shell/session.ts'
import type { SharedEmulator } from './shared-emulator.ts'
import type { Viewport } from './lane-size.ts'
import type { ViewerSink } from './viewers.ts'

export interface LaneSink extends ViewerSink {
  /** The terminal has another size from here on. */
  resized(): void
}

export interface LaneViewer {
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
export interface Lane {
  /** The bytes from `from` on, or a snapshot and what follows; nothing is sent before it returns. */
  view(sink: LaneSink, options: ViewOptions): LaneViewer
  type(data: string): Refusal | null
  drive(driver: 'person' | 'model'): void
  /** A person took the keyboard from the model whose run is on. */
  isTaken(): boolean
  head(): number
  /** Where the stream ends, once all that the holder has of it was heard; null when it does not answer. */
  heard(): Promise<number | null>
  state(): TerminalUpdate
  onState(listener: (state: TerminalUpdate) => void): void
}

/** A shell that the lane shows, behind its holder. */
export interface AttachedShell {
  hello: Hello
  client: HolderClient
  shell: Pick<ShellSession, 'state' | 'type' | 'drive'>
}

/** The same, and what the terminal tells it. */
export interface OwnedLane extends Lane {
  /** Listens along on a holder's connection. */
  attach(shell: AttachedShell, events: HolderEvents): HolderEvents
  /** The shell's state may be another one now. */
  changed(): void
  /** What the model sees of it. */
  look(look: Look): Promise<Looked>
  /** The model's wish; says why not, or null. */
  wishSize(size: Size): Promise<string | null>
  starting(): void
  /** Puts the screen aside as it is now, with the holder. */
  putAside(): Promise<void>
  /** The shell is another session's: what is shown is how it was left. */
  moved(): void
  close(): void
}

export interface LaneOptions {
  /** The byte log's folder. */
  folder: string
  size: Size
  emulator: SharedEmulator
}
