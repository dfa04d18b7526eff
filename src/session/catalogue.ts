import type { ModelSetup } from '../protocol/epoch.ts'
import type { Result } from '../protocol/result.ts'

/** The world as routing sees it, as one value. Skills, repos and trust join it with their features. */
export interface Catalogue {
  /** What a new epoch of this session freezes. */
  setup: ModelSetup
  /** The same for another model; the error is a sentence for a person. */
  pick(model: string): Result<ModelSetup, string>
  /** Facts about the world for the first record: folder, system, date. Never rebuilt. */
  facts: string
}
