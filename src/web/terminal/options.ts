import { z } from 'zod'
import { createKeptSettings } from '../../client/keep.ts'
import { browserKeep } from '../state/settings.ts'

/** The terminal's settings that this browser remembers. */
const Options = z.object({
  /** For screen readers: its text is in the document. */
  isSpoken: z.boolean().catch(false),
  copiesSelection: z.boolean().catch(false),
})
export const options = createKeptSettings(browserKeep, 'tandem.terminal', (kept) =>
  Options.parse(kept),
)

export const { change: setOption } = options
