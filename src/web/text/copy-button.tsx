import { useEffect, useState } from 'react'
import { CheckIcon, CopyIcon } from '../layout/icons.tsx'
import { announce } from '../state/announcements.ts'

const shownMs = 1_500

/** Copies what `text` gives when it is pressed; that may have to be fetched first. */
export function CopyButton({
  text,
  label,
}: {
  text: () => string | Promise<string>
  label: string
}) {
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
    <button
      className="icon-button quiet"
      type="button"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      {isDone ? <CheckIcon /> : <CopyIcon />}
    </button>
  )
}
