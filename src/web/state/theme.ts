import { createStore } from '../../client/store.ts'
import { change, settings, type Settings } from './settings.ts'

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
