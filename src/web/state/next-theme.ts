import { change, settings } from './settings.ts'

const themes = ['system', 'dark', 'light'] as const

export function themeAfter(theme: (typeof themes)[number]): (typeof themes)[number] {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
}

/** The theme of this name, or the next one. */
export function nextTheme(name = ''): void {
  const asked = themes.find((each) => each === name)
  change({ theme: asked ?? themeAfter(settings.get().theme) })
}
