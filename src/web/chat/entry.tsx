import { assertNever } from '../../protocol/assert-never.ts'
import type { Entry } from '../../view/entry.ts'
import type { ReplyPart } from './rows.ts'
import { AskAnswer } from './ask-answer.tsx'
import { AskCard } from './ask-card.tsx'
import { CallEntryView } from './call-entry.tsx'
import { NoticeEntryView } from './notice-entry.tsx'
import { PromptEntryView } from './prompt-entry.tsx'
import { ReplyEntryView } from './reply-entry.tsx'
import { RunEntryView } from './run-entry.tsx'

const wholeReply: ReplyPart = { from: 0, to: null, isFirst: true }

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
