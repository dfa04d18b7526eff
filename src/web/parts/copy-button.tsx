import { useEffect, useState } from 'react'
import { IconButton } from './buttons.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'
import { announce } from '../state/toasts.ts'

const shownMs = 1_500

interface CopyButtonProps {
  text: () => string | Promise<string>
  label: string
}

/** Copies what `text` gives when it is pressed; that may have to be fetched first. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), shownMs)
    return () => clearTimeout(timer)
  }, [isDone])

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(await text())
      setDone(true)
      announce('Copied')
    } catch {
      announce('The browser did not allow copying')
    }
  }

  return (
    <IconButton className="icon-button quiet" label={label} onClick={() => void copy()}>
      {isDone ? <CheckIcon /> : <CopyIcon />}
    </IconButton>
  )
}
