import { useRef, useState } from 'react'
import { Find } from './find.tsx'
import { KeyBar } from './key-bar.tsx'
import { sequenceOf, withCtrl, type BarKey } from './keys.ts'
import { Notice } from './notice.tsx'
import type { TerminalPanelProps } from './panel-props.ts'
import './terminal.css'
import { Toolbar } from './toolbar.tsx'
import { useLiveTerminal } from './use-live-terminal.ts'
import { useRestart } from './use-restart.ts'
import { useStop } from './use-stop.ts'

export function Panel({ session, socket, actions, view, theme, onLeave }: TerminalPanelProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isFinding, setFinding] = useState(false)
  const [isCtrl, setCtrl] = useState(false)
  const isDriven = view.terminal?.driver === 'model'
  const shown = useLiveTerminal(place, {
    session,
    socket,
    theme,
    onLeave,
    mayType: !isDriven,
    translate(data) {
      setCtrl(false)
      return isCtrl ? withCtrl(data) : data
    },
    onFind: () => setFinding(true),
  })
  const stop = useStop(view, actions)
  const { live } = shown
  const restart = useRestart(view, actions, live)
  const type = () => live?.terminal.focus()
  function onBarKey(key: BarKey): void {
    if (live === null) return
    setCtrl(false)
    const isApplication = live.terminal.modes.applicationCursorKeysMode
    live.type(sequenceOf(key, { isCtrl, isApplication }))
  }
  return (
    <section
      className="terminal"
      aria-label="Terminal"
      data-theme={theme}
      data-driver={view.terminal?.driver ?? 'person'}
      data-screen={view.terminal?.screen ?? 'line'}
    >
      <Toolbar
        view={view}
        actions={actions}
        stop={stop}
        restart={restart}
        onFind={() => setFinding(true)}
        onType={type}
      />
      {isFinding && live && (
        <Find
          search={live.search}
          theme={theme}
          onClose={() => {
            setFinding(false)
            type()
          }}
        />
      )}
      <div className="terminal-frame">
        <div className="terminal-place" ref={place} />
      </div>
      <KeyBar isCtrl={isCtrl} onCtrl={() => setCtrl(!isCtrl)} onKey={onBarKey} onFocus={type} />
      <Notice view={view} shown={shown} stopped={stop.step} />
    </section>
  )
}
