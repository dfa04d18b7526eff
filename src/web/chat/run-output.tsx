import { memo, type CSSProperties, useMemo, useRef, useState, useEffect } from 'react'
import {
  type Look,
  type Stretch,
  firstOf,
  parseAnsi,
  plainText,
  textOf,
} from '../../view/text/ansi.ts'
import { collapse } from '../../view/text/collapse.ts'
import type { RunEntry } from '../../view/fold/entry.ts'
import { complain } from '../state/toasts.ts'
import { bytes } from '../../view/words/clock.ts'
import { linesOf } from './long-text.tsx'
import type { RunId } from '../../protocol/events/seq.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { LinkButton, CopyButton } from '../parts/buttons.tsx'

/** Output as people read it: coloured text and nothing else. */
const AnsiText = memo(function AnsiText({ stretches }: { stretches: readonly Stretch[] }) {
  return stretches.map(({ text, look }, at) =>
    Object.keys(look).length === 0 ? (
      text
    ) : (
      <span key={at} className={classOf(look)} style={styleOf(look)}>
        {text}
      </span>
    ),
  )
})

const classOf = (look: Look): string =>
  Object.keys(look)
    .map((name) => `ansi-${name}`)
    .join(' ')

function styleOf({ fg, bg, inverse }: Look): CSSProperties {
  const front = fg === undefined ? undefined : named(fg, '--ansi-')
  const back = bg === undefined ? undefined : named(bg, '--ansi-ground-')
  if (inverse) return { color: back ?? 'var(--ink)', backgroundColor: front ?? 'var(--ink-text)' }
  // Our grounds are dark ones: what is black on a colour elsewhere is white on it here.
  if (back !== undefined && fg === '0') return { color: 'var(--ansi-15)', backgroundColor: back }
  return { color: front, backgroundColor: back }
}

/** The first sixteen are the theme's. */
const named = (colour: string, names: string) =>
  colour.startsWith('#') ? colour : `var(${names}${colour})`

/** The output of a run: live while it runs, then from the store, the first lines of much. */
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

/** `meanwhile` is the part that was seen live, until it is loaded: the entry keeps its height. */
function StoredOutput({ run, meanwhile }: { run: RunId; meanwhile: string }) {
  const [isWhole, setWhole] = useState(false)
  const { output, isFailed, first, more, all } = useRunOutput(run)
  const stretches = useMemo(() => parseAnsi(output?.text ?? ''), [output])
  if (!output)
    return (
      <>
        <LiveOutput text={meanwhile} />
        {isFailed && (
          <p className="run-output-foot">
            The output could not be loaded. <LinkButton onClick={first}>Try again</LinkButton>
          </p>
        )}
      </>
    )
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
          <LinkButton
            onClick={() => setWhole(true)}
          >{`Show more (${restOf(hiddenLines, left)})`}</LinkButton>
        )}
        {isWhole && left > 0 && (
          <LinkButton
            onClick={() => void more().catch(complain)}
          >{`Show more (${bytes(left)} left)`}</LinkButton>
        )}
        {isWhole && <LinkButton onClick={() => setWhole(false)}>Show less</LinkButton>}
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

/** A finished run's output, its first part at once. */
function useRunOutput(run: RunId) {
  const { outputs } = usePage()
  const { id: session } = useSession()
  const [output, setOutput] = useState(outputs.known(run))
  const [isFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const seen = outputs.known(run)
    if (seen) return setOutput(seen)
    let isWanted = true
    setFailed(false)
    outputs.first({ session, run }).then(
      (loaded) => isWanted && setOutput(loaded),
      () => isWanted && setFailed(true),
    )
    return () => {
      isWanted = false
    }
  }, [outputs, session, run, tries])
  return {
    output,
    /** The first part did not come; it is asked for again by `first`, and when the entry is next seen. */
    isFailed,
    first: () => setTries(tries + 1),
    /** Loads the next page. */
    more: async () => setOutput(await outputs.more({ session, run })),
    /** The rest as well, to be copied; it is neither shown nor kept. */
    all: () => outputs.all({ session, run }),
  }
}
