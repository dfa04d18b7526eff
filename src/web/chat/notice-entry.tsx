import { memo, type ReactNode } from 'react'
import { assertNever } from '../../protocol/assert-never.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { Notice, NoticeEntry } from '../../view/entry.ts'
import { goTo } from '../state/place.ts'
import { CommandText } from '../text/command-text.tsx'

/** A quiet line about what changed: a new shell, another model, the end of a turn, a fault. */
export const NoticeEntryView = memo(function NoticeEntryView({ entry }: { entry: NoticeEntry }) {
  const { notice } = entry
  return <div className={`notice ${lookOf(notice)}`}>{textOf(notice)}</div>
})

/** A retry is no fault yet. */
function lookOf(notice: Notice): string {
  if (notice.type !== 'fault') return ''
  return notice.retryAfterMs === null ? 'is-fault' : 'is-retry'
}

const ends = {
  aborted: 'The turn was stopped.',
  failed: 'The turn ended because the model failed.',
  step_limit: 'The turn reached its limit of steps. Say “go on” to continue.',
  context_full: 'The model has no room for more. /compact starts anew with a summary.',
  declined: 'The turn ended: its command was denied.',
} as const

function textOf(notice: Notice): ReactNode {
  switch (notice.type) {
    case 'shell_started':
      return (
        <>
          {notice.generation > 1 ? 'A new shell' : 'A shell'}: {notice.shell} in{' '}
          <CommandText command={notice.cwd} />
          {notice.generation > 1 && ' — variables, functions and jobs of the old one are gone'}
          {notice.integration !== 'full' && ` (integration: ${notice.integration})`}
          {notice.notice !== undefined && ` — ${notice.notice}`}
        </>
      )
    case 'shell_taken':
      return (
        <>
          {sessionLink(notice.from, 'The terminal came along')}: {notice.shell} in{' '}
          <CommandText command={notice.cwd} />
        </>
      )
    case 'shell_ended':
      if (notice.movedTo !== null)
        return sessionLink(notice.movedTo, 'The terminal moved to another session')
      return `The shell ended${notice.exitCode === null ? '' : ` with ${notice.exitCode}`} (${notice.reason}).`
    case 'shell_adopted':
      return (
        <>
          Commands run in {notice.shell} of {notice.place} now, in{' '}
          <CommandText command={notice.cwd} /> — until it ends
        </>
      )
    case 'shell_left':
      return (
        <>
          The adopted shell has ended. Commands run in <CommandText command={notice.cwd} /> again.
        </>
      )
    case 'model':
      return `Talking to ${notice.model}`
    case 'approval':
      return `Approval is now: ${notice.mode}`
    case 'private':
      return notice.on
        ? 'Private from here on: the model sees nothing of what is run.'
        : 'No longer private: the model sees what is run.'
    case 'continued':
      return sessionLink(notice.session, 'Continued in a new session')
    case 'facts':
      return (
        <details>
          <summary>What the model was told at the start</summary>
          <pre tabIndex={0}>{notice.text}</pre>
        </details>
      )
    case 'turn_ended':
      return ends[notice.reason]
    case 'fault':
      return notice.message
    default:
      return assertNever(notice)
  }
}

function sessionLink(session: SessionId, text: string): ReactNode {
  return (
    <button className="link-button" type="button" onClick={() => goTo(session)}>
      {text}
    </button>
  )
}
