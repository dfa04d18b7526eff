import type { Rendered, RenderOptions } from '../output/render-output.ts'
import type { Size, Snapshot } from '../screen/screen.ts'
import type { TextOptions } from '../screen/screen-text.ts'

/** One worker serves many screens; `screen` says which. */
export type ToWorker =
  | { type: 'open'; screen: number; options: OpenOptions }
  | { type: 'write'; screen: number; offset: number; bytes: Uint8Array; isNew: boolean }
  | { type: 'resize'; screen: number; size: Size }
  | { type: 'snapshot'; screen: number; request: number }
  | { type: 'text'; screen: number; request: number; options: TextOptions }
  | { type: 'close'; screen: number }
  | { type: 'render'; request: number; bytes: Uint8Array; options: RenderOptions }

export type FromWorker =
  | { type: 'parsed'; screen: number; offset: number }
  /** Answers to all queries of one write, which ends at `offset`. */
  | { type: 'answer'; screen: number; offset: number; text: string }
  | { type: 'alternate'; screen: number; on: boolean }
  | { type: 'snapshot'; request: number; value: Snapshot }
  | { type: 'text'; request: number; value: string }
  | { type: 'rendered'; request: number; value: Rendered | null }
  | { type: 'failed'; request: number; message: string }

export interface OpenOptions extends Size {
  scrollback?: number
  /** The stream's beginning for this screen; a checkpoint knows it itself. */
  offset?: number
  checkpoint?: Snapshot
}
