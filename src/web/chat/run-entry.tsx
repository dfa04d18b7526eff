import { memo } from 'react'
import { runLabel } from '../../view/label.ts'
import type { RunEntry } from '../../view/entry.ts'
import { useNow } from '../state/use-now.ts'
import { useSession } from '../state/session.ts'
import { CommandText } from '../text/command-text.tsx'
import { CopyButton } from '../text/copy-button.tsx'
import { AskCard } from './ask-card.tsx'
import { AskAnswer } from './ask-answer.tsx'
import { RunOutputView } from './run-output.tsx'
import { runTitle, sourceTag, whoOf } from './who.ts'

/** One command: what it is, how it stands, what it printed. */
export const RunEntryView = memo(function RunEntryView({ entry }: { entry: RunEntry }) {
  const { sign, command, repo } = runTitle(entry)
  const outcome = outcomeOf(entry)
  const isAsked = entry.ask?.state.phase === 'open'
  return (
    <article
      className={`msg-shell is-${outcome}${entry.private ? ' is-private' : ''}${isAsked ? ' is-asked' : ''}`}
      aria-label={`Command: ${command}`}
      data-source={entry.source}
    >
      {entry.ask && isAsked ? (
        <AskCard ask={entry.ask} by={entry.by} />
      ) : (
        <header>
          <p className="run-line">
            <span className="run-glyph">🖥 </span>
            <span className="run-sign">{sign}</span>
            <CommandText command={command} />
            {repo} <RunState entry={entry} />
          </p>
          <RunTags entry={entry} />
          <CopyButton text={() => command} label="Copy command" />
        </header>
      )}
      {entry.ask && !isAsked && <AskAnswer ask={entry.ask} />}
      <RunOutputView entry={entry} />
    </article>
  )
})

/** Who asked for it, and whether the model gets to see it. */
function RunTags({ entry }: { entry: RunEntry }) {
  const tag = sourceTag(entry.source)
  const { kind, client } = entry.by
  const isElsewhere = kind === 'user' && client !== undefined && client !== 'web'
  return (
    <>
      {tag !== null && <span className="tag">{tag}</span>}
      {entry.private && <span className="tag is-private">private</span>}
      {isElsewhere && <span className="tag">{whoOf(entry.by)}</span>}
    </>
  )
}

type Outcome = 'pending' | 'running' | 'good' | 'bad' | 'odd'

function outcomeOf({ state, answer }: RunEntry): Outcome {
  if (state.phase !== 'settled') return state.phase
  if (!state.result) return answer?.status === 'done' ? 'good' : 'odd'
  if (state.result.outcome !== 'ended') return 'odd'
  return state.result.exitCode === 0 ? 'good' : 'bad'
}

function RunState({ entry }: { entry: RunEntry }) {
  const { keep, withdraw } = useSession()
  const { state } = entry
  const now = useNow(state.phase === 'running')
  if (state.phase === 'settled') return <span className="run-state">— {runLabel(entry)}</span>
  if (state.phase === 'pending')
    return (
      <span className="run-state">
        {runLabel(entry)}
        {entry.by.kind === 'user' && (
          <button className="link-button" type="button" onClick={() => void withdraw(entry.seq)}>
            Withdraw
          </button>
        )}
      </span>
    )
  const seconds = Math.max(0, Math.floor((now - state.startedAt) / 1_000))
  const label = runLabel(entry)
  return (
    <span className="run-state">
      {label === 'running…' ? '⏳ Running...' : `⏳ ${label}`}
      {seconds > 1 && <span className="run-clock">{seconds}s</span>}
      {state.note === 'ending' && (
        <button className="link-button" type="button" onClick={() => void keep()}>
          Keep running
        </button>
      )}
    </span>
  )
}
