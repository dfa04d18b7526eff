import { useEffect, useRef, useState } from 'react'
import { openXterm } from '../open-xterm.ts'
import { options } from '../options.ts'
import '../terminal.css'
import type { Cast } from './cast.ts'
import { Controls } from './controls.tsx'
import { createPlayer, type Player } from './player.ts'
import type { ReplayProps } from './replay-props.ts'
import './replay.css'
import { useCast } from './use-cast.ts'
import { usePlayback } from './use-playback.ts'

export function ReplayScreen({ session, client, theme, marks = [], ...props }: ReplayProps) {
  const found = useCast(client, session)
  return (
    <section className="terminal replay" aria-label="Recording" data-theme={theme}>
      <header className="terminal-bar">
        <p className="terminal-who">Recording</p>
        <button type="button" onClick={props.onClose}>
          Back to the live terminal
        </button>
      </header>
      {found.state === 'ready' ? (
        <Playing cast={found.cast} theme={theme} marks={marks} onTime={props.onTime} />
      ) : (
        <p className="terminal-notice" role="status">
          {found.state === 'loading' ? 'Loading the recording…' : found.message}
        </p>
      )}
    </section>
  )
}

type PlayingProps = Required<Pick<ReplayProps, 'theme' | 'marks' | 'onTime'>> & { cast: Cast }

function Playing({ cast, theme, marks, onTime }: PlayingProps) {
  const place = useRef<HTMLDivElement>(null)
  const [player, setPlayer] = useState<Player | null>(null)
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
    const canvas = createPlayer(cast, {
      // In order with what is written: both wait for their turn.
      clear: ({ rows, cols }) =>
        terminal.write('\x1bc', () => {
          terminal.resize(cols, rows)
          terminal.clear()
        }),
      write: (text) => terminal.write(text),
      resize: ({ rows, cols }) => terminal.write('', () => terminal.resize(cols, rows)),
    })
    setPlayer(canvas)
    return () => {
      setPlayer(null)
      terminal.dispose()
    }
  }, [cast, theme])

  useEffect(() => {
    player?.show(at)
  }, [player, at])
  useEffect(() => {
    // At its end is what was said since, too.
    onTime(at < cast.lengthMs ? cast.momentAt(at) : Infinity)
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
