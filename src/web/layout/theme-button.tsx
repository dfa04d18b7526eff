import { nextTheme, themeAfter } from '../state/next-theme.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/store.ts'
import { HalfIcon, MoonIcon, SunIcon } from './icons.tsx'

const icons = { system: HalfIcon, dark: MoonIcon, light: SunIcon } as const

export function ThemeButton() {
  const { theme } = useStore(settings)
  const label = `Theme: ${theme}; change to ${themeAfter(theme)}`
  const ThemeIcon = icons[theme]
  return (
    <button
      className="icon-button"
      type="button"
      aria-label={label}
      title={label}
      onClick={() => nextTheme()}
    >
      <ThemeIcon />
    </button>
  )
}
