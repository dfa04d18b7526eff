import { z } from 'zod'
import { createStore } from './store.ts'

/** What this browser remembers about how the page looks. */
const Settings = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  /** The chat's share of the room; null: nobody has moved the bar. */
  split: z.number().min(0.25).max(0.8).nullable().catch(null),
  terminalOpen: z.boolean().catch(false),
  listOpen: z.boolean().catch(true),
  /** Who took the last task. */
  assignee: z.string().catch(''),
})
export type Settings = z.infer<typeof Settings>

const place = 'tandem.settings'

function stored(): Settings {
  try {
    return Settings.parse(JSON.parse(localStorage.getItem(place) ?? '{}'))
  } catch {
    return Settings.parse({})
  }
}

export const settings = createStore(stored())

export function change(changes: Partial<Settings>): void {
  settings.set({ ...settings.get(), ...changes })
  try {
    localStorage.setItem(place, JSON.stringify(settings.get()))
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}
