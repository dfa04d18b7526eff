import { useMemo, useRef, useState } from 'react'
import { collapse } from '../../view/label.ts'
import type { RunEntry } from '../../view/entry.ts'
import { AnsiText } from '../text/ansi-text.tsx'
import { CopyButton } from '../text/copy-button.tsx'
import { firstOf, parseAnsi, plainText, textOf } from '../text/ansi.ts'
import { useRunOutput } from '../state/run-output.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { bytes } from './bytes.ts'
import { linesOf } from './long-text.tsx'

/** What a run printed: live while it runs, then from the store, the first lines of much. */
export function RunOutputView({ entry }: { entry: RunEntry }) {
  const { state } = entry
  const live = useRef('')
  if (state.phase === 'running') {
    live.current = state.live.text
    return <LiveOutput text={live.current} />
  }
  if (state.phase === 'settled' && state.run !== null && (state.result?.bytes ?? 0) > 0)
    return <StoredOutput run={state.run} meanwhile={live.current} />
  return null
}

/** A running command shows its newest lines: that is what one waits for. */
const liveLines = 20
/** A line that is written over and over, or without end, is longer than anybody looks at. */
const liveChars = 8_000

function LiveOutput({ text }: { text: string }) {
  if (text === '') return null
  const lines = text.slice(-liveChars).split('\n')
  const tail = lines.slice(-liveLines - 1).join('\n')
  return (
    <div className="run-output">
      <pre tabIndex={0} aria-label="Output so far">
        <AnsiText stretches={parseAnsi(tail)} />
      </pre>
      <CopyButton text={() => plainText(text)} label="Copy output" />
    </div>
  )
}

interface StoredOutputProps {
  run: string
  /** What was seen of it live, until it is loaded: the entry keeps its height. */
  meanwhile: string
}

function StoredOutput({ run, meanwhile }: StoredOutputProps) {
  const { id } = useSession()
  const [isWhole, setWhole] = useState(false)
  const { output, more, all } = useRunOutput(id, run)
  const stretches = useMemo(() => parseAnsi(output?.text ?? ''), [output])
  if (!output) return <LiveOutput text={meanwhile} />
  const { missing } = output
  const left = output.total - output.to
  const { shown, hiddenLines } = collapse(textOf(stretches))
  const isCut = !isWhole && (hiddenLines > 0 || left > 0)
  return (
    <div className="run-output">
      <pre tabIndex={0} aria-label="Output">
        <AnsiText stretches={isCut ? firstOf(stretches, shown.length) : stretches} />
      </pre>
      <div className="run-output-foot">
        {isCut && (
          <Foot label={`Show more (${restOf(hiddenLines, left)})`} act={() => setWhole(true)} />
        )}
        {isWhole && left > 0 && (
          <Foot label={`Show more (${bytes(left)} left)`} act={() => void more().catch(complain)} />
        )}
        {isWhole && <Foot label="Show less" act={() => setWhole(false)} />}
        {missing > 0 && <span>{bytes(missing)} no longer kept</span>}
      </div>
      <CopyButton text={async () => plainText((await all()).text)} label="Copy output" />
    </div>
  )
}

/** How many lines are hidden, as far as they are loaded. */
function restOf(lines: number, left: number): string {
  if (left > 0) return lines === 0 ? bytes(left) : `${lines}+ lines`
  return linesOf(lines)
}

function Foot({ label, act }: { label: string; act: () => void }) {
  return (
    <button className="link-button" type="button" onClick={act}>
      {label}
    </button>
  )
}
