import type { ReactNode } from 'react'
import { dialog } from '../state/dialog.ts'
import { toggleList } from '../state/panels.ts'
import { change, settings } from '../state/settings.ts'
import { useStore } from '../state/store.ts'
import { ListIcon, SearchIcon, TerminalIcon } from './icons.tsx'
import { ThemeButton } from './theme-button.tsx'

interface HeaderProps {
  title: string
  where: string
  isNarrow: boolean
  children?: ReactNode
}

export function Header({ title, where, isNarrow, children }: HeaderProps) {
  const { terminalOpen } = useStore(settings)
  return (
    <header className="header">
      <button
        className="icon-button"
        type="button"
        aria-label="Sessions"
        title="Sessions"
        onClick={toggleList}
      >
        <ListIcon />
      </button>
      <h1>
        <bdi className="header-title">{title}</bdi>
        {where !== '' && (
          <span className="header-where" title={where}>
            <bdi>{where}</bdi>
          </span>
        )}
      </h1>
      {children}
      <button className="palette-button" type="button" onClick={() => dialog.set('palette')}>
        <SearchIcon />
        <span>Commands</span> <kbd>Ctrl K</kbd>
      </button>
      <ThemeButton />
      {!isNarrow && (
        <button
          className="icon-button"
          type="button"
          aria-label="Terminal"
          aria-pressed={terminalOpen}
          title="Terminal (Ctrl+`)"
          onClick={() => change({ terminalOpen: !terminalOpen })}
        >
          <TerminalIcon />
        </button>
      )}
    </header>
  )
}
