import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { askKeys, type AskAction } from '../../view/ask-keys.ts'
import type { ShownGrade } from '../../view/words/ask.ts'
import type { WiderYes } from '../../view/words/wider-yes.ts'
import { Button } from '../parts/buttons.tsx'
import { CommandText } from '../text/command-text.tsx'

interface AskButtonsProps {
  /** The word of the yes: to run, to type and to read are not the same. */
  yes: string
  grade: ShownGrade | null
  can: (action: AskAction) => boolean
  on: (action: AskAction) => void
  /** Those that are there at all. */
  has: (action: AskAction) => boolean
}

/** The two plain answers, and quietly the others. */
export function AskButtons({ yes, grade, can, on, has }: AskButtonsProps) {
  const keys = askKeys(grade)
  // No is what Enter says then.
  const isGrave = grade === 'destroys'
  const button = (action: AskAction, label: string, isGo = false) => (
    <Button key={action} isGo={isGo} disabled={!can(action)} onClick={() => on(action)}>
      {label} <kbd>{keys[action]}</kbd>
    </Button>
  )
  const quiet = (action: AskAction, label: string) =>
    has(action) && (
      <button
        className="ask-quiet"
        type="button"
        disabled={!can(action)}
        onClick={() => on(action)}
      >
        {label} <kbd>{keys[action]}</kbd>
      </button>
    )
  const plain = [button('run', yes, !isGrave), button('deny', 'Deny', isGrave)]
  return (
    <div className="ask-buttons">
      {isGrave ? plain.toReversed() : plain}
      <div className="ask-others">
        {quiet('explain', 'Deny and explain…')}
        {quiet('edit', 'Edit')}
        {quiet('more', 'Allow more…')}
      </div>
    </div>
  )
}

interface WiderAnswersProps {
  wider: readonly WiderYes[]
  isInert: boolean
  onChoose: (scope: WiderYes['scope']) => void
  onCancel: () => void
}

/** Every yes that counts for more than this once, with all that it covers and how it ends. */
export function WiderAnswers({ wider, isInert, onChoose, onCancel }: WiderAnswersProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('button')?.focus(), [])

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    if (event.key === 'Escape') onCancel()
    const chosen = wider.find(({ key }) => key === event.key)
    if (!chosen || isInert) return
    event.preventDefault()
    onChoose(chosen.scope)
  }

  return (
    <div
      className="ask-wider"
      ref={box}
      role="group"
      aria-label="Allow more than this once"
      onKeyDown={onKey}
    >
      {wider.map((each) => (
        <WiderAnswer
          key={each.scope}
          wider={each}
          isInert={isInert}
          onChoose={() => onChoose(each.scope)}
        />
      ))}
      <button className="ask-quiet" type="button" onClick={onCancel}>
        Back <kbd>Esc</kbd>
      </button>
    </div>
  )
}

interface WiderAnswerProps {
  wider: WiderYes
  isInert: boolean
  onChoose: () => void
}

function WiderAnswer({ wider: { title, key, covers, end }, isInert, onChoose }: WiderAnswerProps) {
  const about = useId()
  return (
    <button
      className="ask-choice"
      type="button"
      disabled={isInert}
      aria-label={title}
      aria-describedby={about}
      aria-keyshortcuts={key}
      onClick={onChoose}
    >
      <span className="ask-choice-title">
        {title} <kbd>{key}</kbd>
      </span>
      <span className="ask-choice-about" id={about}>
        {covers.map((covered, at) => (
          <span className="ask-covers" key={at}>
            <CommandText command={covered} />
          </span>
        ))}
        <span className="ask-end">{end}</span>
      </span>
    </button>
  )
}
