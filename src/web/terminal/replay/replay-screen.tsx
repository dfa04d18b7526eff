import { useEffect, useMemo, useRef, useState } from 'react'
import { openXterm } from '../xterm/open-xterm.ts'
import { options } from '../options.ts'
import '../terminal.css'
import { type Cast, readCast, runMarks } from './cast.ts'
import { Controls } from './controls.tsx'
import { createPlayer, usePlayback } from './player.ts'
import './replay.css'
import { exportSession } from '../../../client/session/records.ts'
import type { At } from '../../../protocol/events/seq.ts'
import type { View } from '../../../view/fold/view.ts'
import { usePage } from '../../state/page.ts'
import { useSession } from '../../state/session.ts'
import { theme as pageTheme } from '../../state/settings.ts'
import { useStore } from '../../state/use-store.ts'

interface ReplayProps {
  view: View
  /** The time that is shown: the chat shows its entries up to there. Null: back to the live terminal. */
  onTime: (at: At | null) => void
}

/** The recording of a session's terminal, to be scrubbed through beside its chat. */
export function ReplayScreen({ view, onTime }: ReplayProps) {
  const found = useCast()
  return (
    <section className="terminal replay" aria-label="Recording" data-theme={useStore(pageTheme)}>
      <header className="terminal-bar">
        <p className="terminal-who">Recording</p>
        <button type="button" onClick={() => onTime(null)}>
          Back to the live terminal
        </button>
      </header>
      {found.state === 'ready' ? (
        <Playing cast={found.cast} view={view} onTime={onTime} />
      ) : (
        <p className="terminal-notice" role="status">
          {found.state === 'loading' ? 'Loading the recording…' : found.message}
        </p>
      )}
    </section>
  )
}

/** A recording tells its start in whole seconds; what began within that second is shown with it. */
const secondMs = 1_000

function Playing({ cast, view, onTime }: ReplayProps & { cast: Cast }) {
  const theme = useStore(pageTheme)
  const marks = useMemo(() => runMarks(view), [view])
  const place = useRef<HTMLDivElement>(null)
  const [show, setPlayer] = useState<((ms: number) => void) | null>(null)
  const playback = usePlayback(cast)
  const { at } = playback

  useEffect(() => {
    if (place.current === null) return undefined
    const { terminal } = openXterm({
      place: place.current,
      theme,
      isSpoken: options.get().isSpoken,
      onLinkHover: () => undefined,
    })
    terminal.options.disableStdin = true
    const player = createPlayer(cast, {
      // In order with what is written: both wait for their turn.
      clear: ({ rows, cols }) =>
        terminal.write('\x1bc', () => {
          terminal.resize(cols, rows)
          terminal.clear()
        }),
      write: (text) => terminal.write(text),
      resize: ({ rows, cols }) => terminal.write('', () => terminal.resize(cols, rows)),
    })
    setPlayer(() => player)
    return () => {
      setPlayer(null)
      terminal.dispose()
    }
  }, [cast, theme])

  useEffect(() => {
    show?.(at)
  }, [show, at])
  useEffect(() => {
    // At its end is what was said since, too.
    onTime(at < cast.lengthMs ? cast.momentAt(at) + secondMs : Infinity)
  }, [onTime, cast, at])
  return (
    <>
      <div className="terminal-frame">
        <div className="terminal-place" ref={place} />
      </div>
      <Controls cast={cast} marks={marks} playback={playback} />
    </>
  )
}

type Found =
  | { state: 'loading' }
  | { state: 'ready'; cast: Cast }
  | { state: 'failed'; message: string }

function useCast(): Found {
  const { client } = usePage()
  const { id } = useSession()
  const [found, setFound] = useState<Found>({ state: 'loading' })
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    exportSession(client, id, { format: 'cast', signal })
      .then((text) => setFound({ state: 'ready', cast: readCast(text) }))
      .catch((error: unknown) => {
        if (!signal.aborted)
          setFound({ state: 'failed', message: `The recording cannot be shown: ${wordsOf(error)}` })
      })
    return () => leaving.abort()
  }, [client, id])
  return found
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
