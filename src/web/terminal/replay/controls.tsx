import type { KeyboardEvent } from 'react'
import type { At } from '../../../protocol/events/seq.ts'
import { type Cast, markBeside } from './cast.ts'
import { speeds, type Playback } from './player.ts'

interface ControlsProps {
  cast: Cast
  marks: readonly At[]
  playback: Playback
}

const stepMs = 5_000

export function Controls({ cast, marks, playback }: ControlsProps) {
  const { at, isPlaying, seek, toggle } = playback
  const toMark = (way: 'before' | 'after') => {
    const mark = markBeside(marks, cast.momentAt(at), way)
    if (mark !== null) seek(cast.placeOf(mark))
  }
  const keys: Readonly<Record<string, () => void>> = {
    ' ': toggle,
    ArrowLeft: () => seek(at - stepMs),
    ArrowRight: () => seek(at + stepMs),
    Home: () => seek(0),
    End: () => seek(cast.lengthMs),
    '[': () => toMark('before'),
    ']': () => toMark('after'),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    // A button that is pressed by the space bar presses itself.
    if (!act || (event.key === ' ' && event.target instanceof HTMLButtonElement)) return
    if (event.target instanceof HTMLSelectElement) return
    event.preventDefault()
    act()
  }
  return (
    <div className="replay-controls" role="group" aria-label="Playing" onKeyDown={onKeyDown}>
      <button type="button" className="is-main" onClick={toggle}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <button type="button" aria-label="Run before" onClick={() => toMark('before')}>
        ‹ Run
      </button>
      <button type="button" aria-label="Run after" onClick={() => toMark('after')}>
        Run ›
      </button>
      <span className="replay-bar">
        <input
          type="range"
          min={0}
          max={Math.ceil(cast.lengthMs)}
          step={1}
          value={Math.round(at)}
          aria-label="Place in the recording"
          aria-valuetext={`${clockText(at)} of ${clockText(cast.lengthMs)}`}
          onChange={(event) => seek(Number(event.target.value))}
        />
        <Marks cast={cast} marks={marks} />
      </span>
      <output className="replay-time">
        {clockText(at)} / {clockText(cast.lengthMs)}
      </output>
      <select
        aria-label="Speed"
        value={playback.speed}
        onChange={(event) => playback.setSpeed(Number(event.target.value))}
      >
        {speeds.map((speed) => (
          <option key={speed} value={speed}>
            {speed}×
          </option>
        ))}
      </select>
    </div>
  )
}

/** Drawn, since a list of a thousand elements below a slider helps nobody. */
function Marks({ cast, marks }: { cast: Cast; marks: readonly At[] }) {
  const { lengthMs, placeOf } = cast
  const places = lengthMs === 0 ? [] : marks.map((at) => (placeOf(at) / lengthMs) * 1_000)
  return (
    <svg
      className="replay-marks"
      viewBox="0 0 1000 4"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={places.map((place) => `M${place.toFixed(1)} 0v4`).join('')} />
    </svg>
  )
}

/** `1:05`, `1:02:03` */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const two = (count: number) => String(count).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours > 0
    ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`
}
