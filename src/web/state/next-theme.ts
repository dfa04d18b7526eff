import { change, settings } from './settings.ts'

const themes = ['system', 'dark', 'light'] as const

/** The theme of this name, or the next one. */
export function nextTheme(name = ''): void {
  const asked = themes.find((each) => each === name)
  const at = themes.indexOf(settings.get().theme)
  change({ theme: asked ?? themes[(at + 1) % themes.length] ?? 'system' })
}
