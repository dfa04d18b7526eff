import type { ModelSetup } from '../protocol/epoch.ts'

/** The world as routing sees it, as one value. Skills, repos and trust join it with their features. */
export interface Catalogue {
  /** What a new epoch freezes. */
  setup: ModelSetup
  /** Facts about the world for the first record: folder, system, date. Never rebuilt. */
  facts: string
}
