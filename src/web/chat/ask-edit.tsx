import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'

interface AskEditProps {
  label: string
  initial: string
  action: string
  /** What has been written so far, for whoever takes the line away. */
  onText?: (text: string) => void
  onDone: (text: string) => void
  onCancel: () => void
}

/** A line to write an answer in; the person opened it, so it may take the focus. */
export function AskEdit({ label, initial, action, onText, onDone, onCancel }: AskEditProps) {
  const [text, setText] = useState(initial)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useEffect(() => {
    field.current?.focus()
    // One goes on where the text ends.
    field.current?.setSelectionRange(initial.length, initial.length)
  }, [initial])

  function onKey(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onCancel()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (text.trim() !== '') onDone(text)
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
        <button
          className="button is-go"
          type="button"
          disabled={text.trim() === ''}
          onClick={() => onDone(text)}
        >
          {action}
        </button>
        <button className="button" type="button" onClick={onCancel}>
          Back
        </button>
      </div>
    </div>
  )
}
