import { memo } from 'react'
import { callLabel } from '../../view/label.ts'
import type { CallEntry } from '../../view/entry.ts'
import { plainText } from '../text/ansi.ts'
import { CommandText } from '../text/command-text.tsx'
import { AskAnswer } from './ask-answer.tsx'
import { AskCard } from './ask-card.tsx'
import { whoOf } from './who.ts'

const glyphs: Readonly<Record<string, string>> = {
  read_file: '📄',
  activate_skill: '✦',
  terminal_read: '👁',
  terminal_write: '⌨',
  terminal_interrupt: '⏹',
}

/** A call that is no command: a file read, a skill, a look at the terminal. */
export const CallEntryView = memo(function CallEntryView({ entry }: { entry: CallEntry }) {
  const isAsked = entry.ask?.state.phase === 'open'
  const isBad = entry.answer !== null && entry.answer.status !== 'done'
  return (
    <article className={`call${isBad ? ' is-bad' : ''}`} aria-label={`Call: ${entry.name}`}>
      <details>
        <summary>
          <span aria-hidden="true">{glyphs[entry.name] ?? '·'}</span>
          <span className="call-name">{entry.name}</span>
          <span className="call-args">
            <CommandText command={shortArguments(entry.args)} />
          </span>
          <span className="call-label">
            {callLabel(entry)}
            {entry.by.kind === 'user' && ` · ${whoOf(entry.by)}`}
          </span>
        </summary>
        {entry.answer && (
          <pre tabIndex={0} aria-label="Answer">
            {plainText(entry.answer.content)}
          </pre>
        )}
      </details>
      {entry.ask && isAsked && <AskCard ask={entry.ask} by={entry.by} />}
      {entry.ask && !isAsked && <AskAnswer ask={entry.ask} />}
    </article>
  )
})

const shownChars = 120

/** The values of what was sent; JSON's marks say nothing to people. */
function shortArguments(args: string): string {
  const text = valuesOf(args)
  return text.length > shownChars ? `${text.slice(0, shownChars)}…` : text
}

function valuesOf(args: string): string {
  try {
    const parsed: unknown = JSON.parse(args)
    if (typeof parsed !== 'object' || parsed === null) return String(parsed)
    return Object.values(parsed).map(String).join(' ')
  } catch {
    return args
  }
}
