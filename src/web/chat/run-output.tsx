import { useState } from 'react'
import { collapse } from '../../view/label.ts'
import type { RunEntry } from '../../view/entry.ts'
import { AnsiText } from '../text/ansi-text.tsx'
import { CopyButton } from '../text/copy-button.tsx'
import { plainText } from '../text/ansi.ts'
import { useRunOutput } from '../state/run-output.ts'
import { useSession } from '../state/session.ts'
import { complain } from '../state/toasts.ts'
import { bytes } from './bytes.ts'

/** What a run printed: live while it runs, then from the store, the first lines of much. */
export function RunOutputView({ entry }: { entry: RunEntry }) {
  const { state } = entry
  if (state.phase === 'running') return <LiveOutput text={state.live.text} />
  if (state.phase === 'settled' && state.run !== null && (state.result?.bytes ?? 0) > 0)
    return <StoredOutput run={state.run} />
  return null
}

/** A running command shows its newest lines: that is what one waits for. */
const liveLines = 20

function LiveOutput({ text }: { text: string }) {
  if (text === '') return null
  const tail = text
    .split('\n')
    .slice(-liveLines - 1)
    .join('\n')
  return (
    <div className="run-output">
      <pre tabIndex={0} aria-label="Output so far">
        <AnsiText output={tail} />
      </pre>
      <CopyButton text={() => plainText(text)} label="Copy output" />
    </div>
  )
}

function StoredOutput({ run }: { run: string }) {
  const { id } = useSession()
  const [isWhole, setWhole] = useState(false)
  const { output, more } = useRunOutput(id, run)
  if (!output) return null
  const { text, missing } = output
  const left = output.total - output.to
  const { shown, hiddenLines } = collapse(text)
  const isCut = !isWhole && (hiddenLines > 0 || left > 0)
  return (
    <div className="run-output">
      <pre tabIndex={0} aria-label="Output">
        <AnsiText output={isCut ? shown : text} />
      </pre>
      <div className="run-output-foot">
        {isCut && (
          <Foot label={`Show more${linesOf(hiddenLines, left)}`} act={() => setWhole(true)} />
        )}
        {isWhole && left > 0 && (
          <Foot label={`Show more (${bytes(left)} left)`} act={() => void more().catch(complain)} />
        )}
        {isWhole && <Foot label="Show less" act={() => setWhole(false)} />}
        {missing > 0 && <span>{bytes(missing)} no longer kept</span>}
      </div>
      <CopyButton text={() => plainText(text)} label="Copy output" />
    </div>
  )
}

/** How many lines are hidden, as far as they are loaded. */
function linesOf(lines: number, left: number): string {
  if (lines === 0) return ` (${bytes(left)})`
  return ` (${lines}${left > 0 ? '+' : ''} lines)`
}

function Foot({ label, act }: { label: string; act: () => void }) {
  return (
    <button className="link-button" type="button" onClick={act}>
      {label}
    </button>
  )
}
