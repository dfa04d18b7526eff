import { useLayoutEffect, type RefObject } from 'react'
import { completionId } from './completion-list.tsx'
import { isTouch, type useComposer } from './use-composer.ts'

interface ComposerFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>
  input: ReturnType<typeof useComposer>
}

const words = {
  chat: { label: 'Message or command', hint: 'Say something, or run a command with !' },
  bash: { label: 'Bash mode: every line runs as a command', hint: 'A command; exit leaves' },
} as const

/** What is longer is higher than the style allows. */
const measuredChars = 20_000

export function ComposerField({ ref, input }: ComposerFieldProps) {
  const { text, mode, completion, chosen } = input
  useLayoutEffect(() => {
    // As high as its text, up to what the style allows.
    const field = ref.current
    if (!field) return
    field.style.height = 'auto'
    // To measure a megabyte takes longer than to type a letter.
    field.style.height = text.length > measuredChars ? '100vh' : `${field.scrollHeight}px`
  }, [ref, text, mode])
  const list = completion && {
    'aria-controls': completionId,
    'aria-activedescendant': `${completionId}-${Math.max(0, chosen)}`,
  }
  return (
    <textarea
      id="composer"
      ref={ref}
      rows={1}
      value={text}
      placeholder={words[mode].hint}
      aria-label={words[mode].label}
      aria-autocomplete="list"
      {...list}
      spellCheck={mode === 'chat'}
      autoCapitalize="off"
      autoCorrect="off"
      enterKeyHint={isTouch ? 'enter' : 'send'}
      onChange={({ target }) => input.onText(target.value, target.selectionStart)}
      onSelect={({ currentTarget }) => input.onCursor(currentTarget.selectionStart)}
      onKeyDown={input.onKey}
      onPaste={(event) => input.onPaste(event.clipboardData.getData('text/plain'))}
    />
  )
}
