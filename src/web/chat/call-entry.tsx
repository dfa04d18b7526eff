import { here } from '../access/open-client.ts'
import { memo } from 'react'
import { callAnswer, callLabel, callTitle } from '../../view/words/run.ts'
import type { CallEntry } from '../../view/fold/entry.ts'
import { plainText } from '../../view/text/ansi.ts'
import { CommandText } from '../text/command-text.tsx'
import { AskAnswer, AskCard } from './ask-card.tsx'
import { LongText } from './long-text.tsx'
import { isElsewhere, whoOf } from '../../view/words/who.ts'

const glyphs: Readonly<Record<string, string>> = {
  read_file: '📄',
  activate_skill: '✦',
  terminal_read: '👁',
  terminal_write: '⌨',
  terminal_interrupt: '⏹',
}

/** A call that is no command: a `/command` and its answer, a file read, a skill, a look at the terminal. */
export const CallEntryView = memo(function CallEntryView({ entry }: { entry: CallEntry }) {
  const { name, by, ask } = entry
  // The card says it all, once.
  const isAsked = ask?.state.phase === 'open'
  const look = isAsked ? ' is-asked' : isBad(entry) ? ' is-bad' : ''
  return (
    <article className={`call${look}`} aria-label={`Call: ${name}`}>
      {isAsked ? (
        <AskCard key={ask.id} ask={ask} by={by} isRead={name === 'read_file'} />
      ) : (
        <CallLines entry={entry} />
      )}
      {ask && <AskAnswer ask={ask} />}
    </article>
  )
})

const isBad = ({ answer }: CallEntry) => answer !== null && answer.status !== 'done'

/** Answers that a person asked for are told at once; what they know, or only the model reads, waits to be opened. */
function isTold(entry: CallEntry): boolean {
  const isDenied = entry.ask?.state.phase === 'answered' && entry.ask.state.outcome === 'deny'
  if (callAnswer(entry) === '' || isDenied) return false
  return entry.by.kind !== 'model' || isBad(entry)
}

function CallLines({ entry }: { entry: CallEntry }) {
  const line = <CallLine entry={entry} />
  if (isTold(entry))
    return (
      <>
        <p className="call-line">{line}</p>
        <div className="call-answer">
          <LongText text={plainText(callAnswer(entry))} />
        </div>
      </>
    )
  if (!entry.answer?.content) return <p className="call-line">{line}</p>
  return (
    <details>
      <summary className="call-line">{line}</summary>
      <pre tabIndex={0} aria-label="Answer">
        {plainText(entry.answer.content)}
      </pre>
    </details>
  )
}

function CallLine({ entry }: { entry: CallEntry }) {
  const { name, by, answer } = entry
  return (
    <>
      {glyphs[name] !== undefined && <span aria-hidden="true">{glyphs[name]}</span>}
      <span className="call-title">
        <CommandText command={callTitle(entry)} />
      </span>
      {answer?.status !== 'done' && <span className="call-label">{callLabel(entry)}</span>}
      {isElsewhere(by, here) && <span className="tag">{whoOf(by, here)}</span>}
    </>
  )
}
