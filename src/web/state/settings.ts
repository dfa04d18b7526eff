import { keepIn, createKeptSettings } from '../../client/keep.ts'
import { z } from 'zod'

/** Every tab of this browser has it. */
export const browserKeep = keepIn(localStorage)

/** This tab has it, also after a reload. */
export const tabKeep = keepIn(sessionStorage)

/** The page's settings that this browser remembers. */
const Settings = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  /** The chat's share of the room; null: nobody has moved the bar. */
  split: z.number().min(0.25).max(0.8).nullable().catch(null),
  terminalOpen: z.boolean().catch(false),
  listOpen: z.boolean().catch(true),
  /** The person who took the last task. */
  assignee: z.string().catch(''),
})
export type Settings = z.infer<typeof Settings>

export const settings = createKeptSettings(browserKeep, 'tandem.settings', (kept) =>
  Settings.parse(kept),
)

export const { change } = settings
