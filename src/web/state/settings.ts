import { keepIn, createKeptSettings } from '../../client/keep.ts'
import { z } from 'zod'
import { createStore } from '../../client/store.ts'

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

const system = matchMedia('(prefers-color-scheme: dark)')

function chosen(): 'dark' | 'light' {
  const { theme } = settings.get()
  if (theme !== 'system') return theme
  return system.matches ? 'dark' : 'light'
}

/** The theme in force, for what cannot be coloured by CSS: the terminal. */
export const theme = createStore(chosen())

/** Keeps the page in the chosen theme, and in the system's where that is the choice. */
export function followTheme(): void {
  const apply = () => {
    theme.set(chosen())
    document.documentElement.dataset['theme'] = chosen()
  }
  settings.subscribe(apply)
  system.addEventListener('change', apply)
  apply()
}

const themes = ['system', 'dark', 'light'] as const

export function themeAfter(theme: Settings['theme']): Settings['theme'] {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
}

/** The theme of this name, or the next one. */
export function nextTheme(name = ''): void {
  const asked = themes.find((each) => each === name)
  change({ theme: asked ?? themeAfter(settings.get().theme) })
}
