import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { isComposed } from '../../view/composer/keys.ts'
import { Button } from './buttons.tsx'

interface EditLineProps {
  label: string
  initial: string
  /** As far as it was written when it was last here; it does not take the focus again. */
  written?: string | undefined
  action: string
  /** The text as it was is no answer. */
  isChangeNeeded?: boolean
  /** Hears what has been written so far, for whoever takes the line away. */
  onText?: (text: string) => void
  onDone: (text: string) => void
  onCancel: () => void
}

/** A line to write an answer in; the person opened it, so it may take the focus. */
export function EditLine({
  label,
  initial,
  written,
  action,
  onText,
  onDone,
  onCancel,
  ...rest
}: EditLineProps) {
  const [text, setText] = useState(written ?? initial)
  const [isBack] = useState(written !== undefined)
  const isUnfit =
    text.trim() === '' || (rest.isChangeNeeded === true && text.trim() === initial.trim())
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useEffect(() => {
    if (isBack) return
    field.current?.focus()
    // One goes on where the text ends.
    field.current?.setSelectionRange(initial.length, initial.length)
  }, [initial, isBack])

  function onKey(event: KeyboardEvent): void {
    if (isComposed(event.nativeEvent)) return
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!isUnfit) onDone(text)
  }

  return (
    <div className="ask-edit">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={Math.min(8, text.split('\n').length)}
        value={text}
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value)
          onText?.(target.value)
        }}
        onKeyDown={onKey}
      />
      <div className="ask-buttons">
        <Button isGo disabled={isUnfit} onClick={() => onDone(text)}>
          {action}
        </Button>
        <Button onClick={onCancel}>Back</Button>
      </div>
    </div>
  )
}
