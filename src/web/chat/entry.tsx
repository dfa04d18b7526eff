import { here } from '../access/open-client.ts'
import { memo } from 'react'
import type { PromptEntry, Notice, NoticeEntry, Entry, CallEntry } from '../../view/fold/entry.ts'
import { clockTime } from '../../view/words/clock.ts'
import { LongText } from './long-text.tsx'
import { whoOf, isElsewhere } from '../../view/words/who.ts'
import { noticeWords, type Said } from '../../view/words/notice.ts'
import { goTo } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { CommandText } from '../text/command-text.tsx'
import { assertNever } from '../../base/assert-never.ts'
import type { ReplyPart } from '../../view/rows/rows.ts'
import { AskAnswer, AskCard } from './ask-card.tsx'
import { callAnswer, callLabel, callTitle } from '../../view/words/run.ts'
import { plainText } from '../../view/text/ansi.ts'
import { ReplyEntryView } from './reply-entry.tsx'
import { RunEntryView } from './run-entry.tsx'
import { LinkButton, CopyButton } from '../parts/buttons.tsx'

/** A person's words: the heading of a turn. */
const PromptEntryView = memo(function PromptEntryView({ entry }: { entry: PromptEntry }) {
  return (
    <article className="prompt">
      <h3 className="sr-only">
        {whoOf(entry.by, here)}, {clockTime(entry.at, Date.now())}
      </h3>
      <span className="prompt-sign" aria-hidden="true">
        &gt;
      </span>
      <p dir="auto">
        <LongText text={entry.text} />
      </p>
      <CopyButton text={() => entry.text} label="Copy prompt" />
      <span className="prompt-time">{clockTime(entry.at, Date.now())}</span>
    </article>
  )
})

/** A quiet line about what changed: a new shell, another model, the end of a turn, a fault. */
const NoticeEntryView = memo(function NoticeEntryView({ entry }: { entry: NoticeEntry }) {
  const { notice } = entry
  return (
    <div className={`notice ${lookOf(notice)}`}>
      {notice.type === 'facts' ? (
        <details>
          <summary>What the model was told at the start</summary>
          <pre tabIndex={0}>{notice.text}</pre>
        </details>
      ) : (
        noticeWords(notice).map((said, at) => <Words key={at} said={said} />)
      )}
    </div>
  )
})

/** A retry is no fault yet. */
function lookOf(notice: Notice): string {
  if (notice.type !== 'fault') return ''
  return notice.retryAfterMs === null ? 'is-fault' : 'is-retry'
}

function Words({ said }: { said: Said }) {
  if (typeof said === 'string') return said
  if ('code' in said) return <CommandText command={said.code} />
  if ('offer' in said) return <Offer said={said} />
  return <LinkButton onClick={() => goTo(said.session)}>{said.text}</LinkButton>
}

function Offer({ said: { offer, text } }: { said: Extract<Said, { offer: string }> }) {
  const { submit } = useSession()
  return <LinkButton onClick={() => submit(offer)}>{text}</LinkButton>
}

const wholeReply: ReplyPart = { from: 0, to: null, isFirst: true, isFormer: false }

export function EntryView({ entry, part }: { entry: Entry; part?: ReplyPart | undefined }) {
  switch (entry.kind) {
    case 'prompt':
      return <PromptEntryView entry={entry} />
    case 'reply':
      return <ReplyEntryView entry={entry} {...(part ?? wholeReply)} />
    case 'run':
      return <RunEntryView entry={entry} />
    case 'call':
      return <CallEntryView entry={entry} />
    case 'ask':
      return entry.ask.state.phase === 'open' ? (
        <AskCard key={entry.ask.id} ask={entry.ask} by={entry.by} />
      ) : (
        <AskAnswer ask={entry.ask} />
      )
    case 'notice':
      return <NoticeEntryView entry={entry} />
    default:
      return assertNever(entry)
  }
}

const glyphs: Readonly<Record<string, string>> = {
  read_file: '📄',
  activate_skill: '✦',
  terminal_read: '👁',
  terminal_write: '⌨',
  terminal_interrupt: '⏹',
}

/** A call that is no command: a `/command` and its answer, a file read, a skill, a look at the terminal. */
const CallEntryView = memo(function CallEntryView({ entry }: { entry: CallEntry }) {
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
