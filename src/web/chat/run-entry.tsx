import { here } from '../access/open-client.ts'
import { memo } from 'react'
import { collapse } from '../../view/text/collapse.ts'
import { runLabel, runOutcome, runTitle, sourceTag } from '../../view/words/run.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'
import type { RunEntry } from '../../view/fold/entry.ts'
import { useSession } from '../state/session.ts'
import { CommandText } from '../text/command-text.tsx'
import { AskCard, AskAnswer } from './ask-card.tsx'
import { LongText } from './long-text.tsx'
import { RunOutputView } from './run-output.tsx'
import { useNow } from './use-now.ts'
import { isElsewhere, whoOf } from '../../view/words/who.ts'
import { LinkButton, CopyButton } from '../parts/buttons.tsx'

/** One command: what it is, how it stands, what it printed. */
export const RunEntryView = memo(function RunEntryView({ entry }: { entry: RunEntry }) {
  const { ask, by, command, source } = entry
  const isAsked = ask?.state.phase === 'open'
  const look = `is-${runOutcome(entry)}${entry.private ? ' is-private' : ''}`
  return (
    <article
      className={`msg-shell ${look}${isAsked ? ' is-asked' : ''}`}
      aria-label={`Command: ${collapse(command).shown}`}
      data-source={source}
    >
      {isAsked ? <AskCard key={ask.id} ask={ask} by={by} /> : <RunHeader entry={entry} />}
      {ask && <AskAnswer ask={ask} />}
      <RunOutputView entry={entry} />
    </article>
  )
})

function RunHeader({ entry }: { entry: RunEntry }) {
  const { sign, command, repo, folder } = runTitle(entry)
  return (
    <header>
      <p className="run-line">
        <span className="run-glyph">🖥 </span>
        <span className="run-sign">{sign}</span>
        <LongText text={command} draw={(text) => <CommandText command={text} />} />
        {repo} <RunState entry={entry} />
      </p>
      {folder !== '' && (
        <bdi className="run-folder" title={folder}>
          {printableLine(folder)}
        </bdi>
      )}
      <RunTags entry={entry} />
      <CopyButton text={() => command} label="Copy command" />
    </header>
  )
}

/** Tags that say who asked for it, and whether the model gets to see it. */
function RunTags({ entry }: { entry: RunEntry }) {
  const tag = sourceTag(entry.source)
  return (
    <>
      {tag !== null && <span className="tag">{tag}</span>}
      {entry.private && <span className="tag is-private">private</span>}
      {isElsewhere(entry.by, here) && <span className="tag">{whoOf(entry.by, here)}</span>}
    </>
  )
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
          <LinkButton onClick={() => void withdraw(entry.seq)}>Withdraw</LinkButton>
        )}
      </span>
    )
  const seconds = Math.max(0, Math.floor((now - state.startedAt) / 1_000))
  const label = runLabel(entry)
  return (
    <span className="run-state">
      {label === 'running…' ? '⏳ Running...' : `⏳ ${label}`}
      {seconds > 1 && <span className="run-clock">{seconds}s</span>}
      {state.note === 'ending' && <LinkButton onClick={() => void keep()}>Keep running</LinkButton>}
    </span>
  )
}
