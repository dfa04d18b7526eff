import { nextTheme } from '../state/next-theme.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/store.ts'

const glyphs = { system: '◐', dark: '●', light: '○' } as const

export function ThemeButton() {
  const { theme } = useStore(settings)
  const label = `Theme: ${theme}`
  return (
    <button
      className="icon-button"
      type="button"
      aria-label={label}
      title={label}
      onClick={() => nextTheme()}
    >
      <span aria-hidden="true">{glyphs[theme]}</span>
    </button>
  )
}
