import type { Rendered, RenderOptions } from './render-output.ts'
import type { Colours } from './queries.ts'
import type { Size, Snapshot } from './screen.ts'
import type { TextOptions } from './screen-text.ts'

/** One worker serves many screens; `screen` says which. */
export type ToWorker =
  | { type: 'open'; screen: number; options: OpenOptions }
  | { type: 'write'; screen: number; offset: number; bytes: Uint8Array; isNew: boolean }
  | { type: 'resize'; screen: number; size: Size }
  | { type: 'snapshot'; screen: number; ask: number }
  | { type: 'text'; screen: number; ask: number; options: TextOptions }
  | { type: 'close'; screen: number }
  | { type: 'render'; ask: number; bytes: Uint8Array; options: RenderOptions }

export type FromWorker =
  | { type: 'parsed'; screen: number; offset: number }
  /** To the queries before `offset`, all that one write held. */
  | { type: 'answer'; screen: number; offset: number; text: string }
  | { type: 'alternate'; screen: number; on: boolean }
  | { type: 'fault'; screen: number; message: string }
  | { type: 'snapshot'; ask: number; value: Snapshot }
  | { type: 'text'; ask: number; value: string }
  | { type: 'rendered'; ask: number; value: Rendered | null }
  | { type: 'failed'; ask: number; message: string }

export interface OpenOptions extends Size {
  scrollback?: number
  colours?: Colours
  /** Where the stream begins for this screen; a checkpoint knows it itself. */
  offset?: number
  checkpoint?: Snapshot
}
