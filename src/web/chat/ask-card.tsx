import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { By } from '../../protocol/by.ts'
import type { Answer } from '../../protocol/intent.ts'
import type { Ask } from '../../view/entry.ts'
import { focusComposer } from '../state/composer-state.ts'
import { useSession } from '../state/session.ts'
import { CommandText } from '../text/command-text.tsx'
import { AskEdit } from './ask-edit.tsx'
import { askWords } from './ask-words.ts'

/** A hand that was about to type something else must not answer by mistake. */
const inertMs = 500

type Mode = 'choose' | 'edit' | 'word'

interface AskCardProps {
  ask: Ask
  by: By
  /** A file is to be read. */
  isRead?: boolean
}

/** A question in its place. It never takes the focus; with the focus, Enter, d and e answer it. */
export function AskCard({ ask, by, isRead = false }: AskCardProps) {
  const words = askWords(ask, by, isRead)
  const { answer } = useSession()
  const [mode, setMode] = useState<Mode>('choose')
  const [isReady, setReady] = useState(false)
  const [isSent, setSent] = useState(false)
  const isInert = !isReady || isSent
  const card = useRef<HTMLElement>(null)
  const title = useId()
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), inertMs)
    return () => clearTimeout(timer)
  }, [])

  async function reply(given: Omit<Answer, 'type' | 'ask'>): Promise<void> {
    if (isInert) return
    // The card goes with the answer; the hand that was on it goes on writing.
    if (card.current?.contains(document.activeElement)) focusComposer()
    setSent(true)
    await answer({ ask: ask.id, ...given })
    setSent(false)
  }
  const allow = (command?: string) =>
    reply({ outcome: 'allow', ...(command !== undefined && { command }) })
  const deny = (word?: string) => reply({ outcome: 'deny', ...(word && { word }) })
  const choose = (next: Mode) => {
    setMode(next)
    if (next === 'choose') card.current?.focus()
  }
  const edit = words.isEditable ? () => choose('edit') : undefined

  function onKey(event: KeyboardEvent): void {
    if (event.target !== card.current || event.ctrlKey || event.metaKey || event.altKey) return
    const act = { Enter: () => allow(), d: () => deny(), e: edit }[event.key]
    if (!act || isInert) return
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
      aria-keyshortcuts={edit ? 'Enter d e' : 'Enter d'}
      data-ask={ask.id}
      onKeyDown={onKey}
    >
      <h4 id={title}>{words.title}</h4>
      <pre className="ask-command" tabIndex={0} aria-label="The exact command">
        <CommandText command={ask.command} />
      </pre>
      <AskFacts ask={ask} />
      {mode === 'choose' ? (
        <div className="ask-buttons">
          <button
            className="button is-go"
            type="button"
            disabled={isInert}
            onClick={() => void allow()}
          >
            {words.action} <kbd>Enter</kbd>
          </button>
          <button className="button" type="button" disabled={isInert} onClick={() => void deny()}>
            Deny <kbd>d</kbd>
          </button>
          <button
            className="button"
            type="button"
            disabled={isInert}
            onClick={() => choose('word')}
          >
            Deny with a word…
          </button>
          {edit && (
            <button className="button" type="button" disabled={isInert} onClick={edit}>
              Edit <kbd>e</kbd>
            </button>
          )}
        </div>
      ) : mode === 'edit' ? (
        <AskEdit
          label={`${words.action} this instead`}
          initial={ask.command}
          action={`${words.action} edited`}
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

function AskFacts({ ask }: { ask: Ask }) {
  return (
    <dl>
      {ask.effective !== ask.command && ask.effective !== '' && (
        <Fact name="What really runs" text={ask.effective} isCode />
      )}
      {ask.cwd !== null && <Fact name="In" text={ask.cwd} isCode />}
      {ask.isAgain && <Fact name="Asked again" text="the shell has changed since it was judged" />}
      {ask.reasons.length > 0 && <Fact name="Why it asks" text={ask.reasons.join(' · ')} />}
    </dl>
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
