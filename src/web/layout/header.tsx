import { dialog, toggleList, useNarrow } from '../state/panels.ts'
import { change, settings, nextTheme, themeAfter } from '../state/settings.ts'
import { useStore } from '../state/use-store.ts'
import { IconButton } from '../parts/buttons.tsx'
import { ListIcon, SearchIcon, TerminalIcon, HalfIcon, MoonIcon, SunIcon } from '../parts/icons.tsx'
import { useClear } from '../sessions/use-clear.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'

export function Header({ title, where }: { title: string; where: string }) {
  const isNarrow = useNarrow()
  const { terminalOpen } = useStore(settings)
  return (
    <header className="header">
      <IconButton label="Sessions" onClick={toggleList}>
        <ListIcon />
      </IconButton>
      <h1>
        <bdi className="header-title">{title}</bdi>
        {where !== '' && (
          <span className="header-where" title={where}>
            <bdi>{where}</bdi>
          </span>
        )}
      </h1>
      <ClearButton />
      <button className="palette-button" type="button" onClick={() => dialog.set('palette')}>
        <SearchIcon />
        <span>Commands</span> <kbd>Ctrl K</kbd>
      </button>
      <ThemeButton />
      {!isNarrow && (
        <IconButton
          label="Terminal"
          aria-pressed={terminalOpen}
          title="Terminal (Ctrl+`)"
          onClick={() => change({ terminalOpen: !terminalOpen })}
        >
          <TerminalIcon />
        </IconButton>
      )}
    </header>
  )
}

/** Starts anew in the same folder; what was said stays in the list of sessions. */
function ClearButton() {
  const clear = useClear(useSession().id)
  return (
    <button
      className="palette-button is-clear"
      type="button"
      title="New session in this folder (Alt+N)"
      onClick={() => void clear().catch(complain)}
    >
      Clear
    </button>
  )
}

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
