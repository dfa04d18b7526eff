import { nextTheme, themeAfter } from '../state/theme.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/use-store.ts'
import { IconButton } from '../parts/buttons.tsx'
import { HalfIcon, MoonIcon, SunIcon } from '../parts/icons.tsx'

const icons = { system: HalfIcon, dark: MoonIcon, light: SunIcon } as const

export function ThemeButton() {
  const { theme } = useStore(settings)
  const label = `Theme: ${theme}; change to ${themeAfter(theme)}`
  const ThemeIcon = icons[theme]
  return (
    <IconButton label={label} onClick={() => nextTheme()}>
      <ThemeIcon />
    </IconButton>
  )
}
