import { useState, type FormEvent } from 'react'
import { complain } from '../state/toasts.ts'

interface AddLineProps {
  label: string
  placeholder: string
  onAdd: (text: string) => Promise<void>
}

/** A line that adds to the list above it; what was refused stays in it. */
export function AddLine({ label, placeholder, onAdd }: AddLineProps) {
  const [text, setText] = useState('')
  function add(event: FormEvent): void {
    event.preventDefault()
    onAdd(text).then(() => setText(''), complain)
  }
  return (
    <form className="add-line" onSubmit={add}>
      <input
        aria-label={label}
        placeholder={placeholder}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <button className="button" type="submit" disabled={text.trim() === ''}>
        {label}
      </button>
    </form>
  )
}
