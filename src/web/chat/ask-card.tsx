import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { By } from '../../protocol/by.ts'
import type { Answer } from '../../protocol/intent.ts'
import type { Ask } from '../../view/entry.ts'
import { focusComposer } from '../state/composer-state.ts'
import { useSession } from '../state/session.ts'
import { CommandText } from '../text/command-text.tsx'
import { AskEdit } from './ask-edit.tsx'
import { whoOf } from './who.ts'

/** A hand that was about to type something else must not answer by mistake. */
const inertMs = 500

type Mode = 'choose' | 'edit' | 'word'

/** A question in its place. It never takes the focus; with the focus, Enter, d and e answer it. */
export function AskCard({ ask, by }: { ask: Ask; by: By }) {
  const { answer } = useSession()
  const [mode, setMode] = useState<Mode>('choose')
  const [isReady, setReady] = useState(false)
  const card = useRef<HTMLElement>(null)
  const title = useId()
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), inertMs)
    return () => clearTimeout(timer)
  }, [ask.id])

  async function reply(given: Omit<Answer, 'type' | 'ask'>): Promise<void> {
    if (!isReady) return
    // The card goes with the answer; the hand that was on it goes on writing.
    if (card.current?.contains(document.activeElement)) focusComposer()
    await answer({ ask: ask.id, ...given })
  }
  const allow = (command?: string) =>
    reply({ outcome: 'allow', ...(command !== undefined && { command }) })
  const deny = (word?: string) => reply({ outcome: 'deny', ...(word && { word }) })
  const choose = (next: Mode) => {
    setMode(next)
    if (next === 'choose') card.current?.focus()
  }

  function onKey(event: KeyboardEvent): void {
    if (event.target !== card.current || event.ctrlKey || event.metaKey || event.altKey) return
    const act = { Enter: () => allow(), d: () => deny(), e: () => choose('edit') }[event.key]
    if (!act || !isReady) return
    event.preventDefault()
    void act()
  }

  return (
    <section
      ref={card}
      className="ask-card"
      tabIndex={0}
      role="group"
      aria-labelledby={title}
      aria-keyshortcuts="Enter d e"
      data-ask={ask.id}
      onKeyDown={onKey}
    >
      <h4 id={title}>{ask.kind === 'approval' ? `Run this for ${whoOf(by)}?` : 'A question'}</h4>
      <pre className="ask-command" tabIndex={0} aria-label="The exact command">
        <CommandText command={ask.command} />
      </pre>
      <dl>
        {ask.effective !== ask.command && ask.effective !== '' && (
          <Fact name="What really runs" text={ask.effective} isCode />
        )}
        {ask.cwd !== null && <Fact name="In" text={ask.cwd} isCode />}
        {ask.reasons.length > 0 && <Fact name="Why it asks" text={ask.reasons.join(' · ')} />}
      </dl>
      {mode === 'choose' ? (
        <div className="ask-buttons">
          <button
            className="button is-go"
            type="button"
            disabled={!isReady}
            onClick={() => void allow()}
          >
            Run <kbd>Enter</kbd>
          </button>
          <button className="button" type="button" disabled={!isReady} onClick={() => void deny()}>
            Deny <kbd>d</kbd>
          </button>
          <button
            className="button"
            type="button"
            disabled={!isReady}
            onClick={() => choose('word')}
          >
            Deny with a word…
          </button>
          <button
            className="button"
            type="button"
            disabled={!isReady}
            onClick={() => choose('edit')}
          >
            Edit <kbd>e</kbd>
          </button>
        </div>
      ) : mode === 'edit' ? (
        <AskEdit
          label="Run this instead"
          initial={ask.command}
          action="Run edited"
          onDone={(command) => void allow(command)}
          onCancel={() => choose('choose')}
        />
      ) : (
        <AskEdit
          label="What should the model do instead?"
          initial=""
          action="Deny"
          onDone={(word) => void deny(word)}
          onCancel={() => choose('choose')}
        />
      )}
    </section>
  )
}

function Fact({ name, text, isCode = false }: { name: string; text: string; isCode?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isCode ? 'is-code' : undefined}>
        <CommandText command={text} />
      </dd>
    </div>
  )
}
