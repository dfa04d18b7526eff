import { useCallback, useEffect, useRef, useState } from 'react'
import { openTerminalLine, type TerminalLine } from './terminal-line.ts'
import type { Terminal, TerminalOptions, TerminalRoom, TerminalState } from './terminal-types.ts'

const apart: TerminalState = { link: 'closed', refused: null }

/** A session's live terminal, drawn on a screen from when both are there until unmount. */
export function useTerminal({ url, token, session, screen }: TerminalOptions): Terminal {
  const [state, setState] = useState(apart)
  const line = useRef<TerminalLine | null>(null)
  useEffect(() => {
    if (session === null || screen === null) return undefined
    let isOver = false
    setState({ link: 'connecting', refused: null })
    const opened = openTerminalLine({
      url,
      token,
      session,
      screen,
      onState: (next) => {
        if (!isOver) setState(next)
      },
    })
    line.current = opened
    return () => {
      isOver = true
      line.current = null
      opened.close()
      setState(apart)
    }
  }, [url, token, session, screen])
  return {
    ...state,
    type: useCallback((data: string) => line.current?.type(data) ?? false, []),
    resize: useCallback((room: TerminalRoom) => line.current?.resize(room), []),
    drive: useCallback((driver: 'person' | 'model') => line.current?.drive(driver), []),
    interrupt: useCallback(() => line.current?.interrupt(), []),
  }
}
