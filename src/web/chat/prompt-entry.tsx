import { memo } from 'react'
import type { PromptEntry } from '../../view/entry.ts'
import { CopyButton } from '../text/copy-button.tsx'
import { clockTime } from './clock-time.ts'
import { LongText } from './long-text.tsx'
import { whoOf } from './who.ts'

/** What a person said: the heading of a turn. */
export const PromptEntryView = memo(function PromptEntryView({ entry }: { entry: PromptEntry }) {
  return (
    <article className="prompt">
      <h3 className="sr-only">
        {whoOf(entry.by)}, {clockTime(entry.at)}
      </h3>
      <span className="prompt-sign" aria-hidden="true">
        &gt;
      </span>
      <p dir="auto">
        <LongText text={entry.text} />
      </p>
      <CopyButton text={() => entry.text} label="Copy prompt" />
      <span className="prompt-time">{clockTime(entry.at)}</span>
    </article>
  )
})
