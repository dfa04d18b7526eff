import { createStore } from './store.ts'
import { settings } from './settings.ts'

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
