import { type ComponentProps, useEffect, useState } from 'react'
import { CheckIcon, CopyIcon } from './icons.tsx'
import { announce, complain } from '../state/toasts.ts'

type ButtonProps = ComponentProps<'button'>

export function Button({ isGo = false, ...props }: ButtonProps & { isGo?: boolean }) {
  return <button className={isGo ? 'button is-go' : 'button'} type="button" {...props} />
}

export function LinkButton(props: ButtonProps) {
  return <button className="link-button" type="button" {...props} />
}

/** The label is said aloud, and shown on hover unless a title says more. */
export function IconButton({ label, ...props }: ButtonProps & { label: string }) {
  return (
    <button className="icon-button" type="button" aria-label={label} title={label} {...props} />
  )
}

const shownMs = 1_500

/** Null when it does not come; the server's own words say why. */
async function fetched(text: CopyButtonProps['text']): Promise<string | null> {
  try {
    return await text()
  } catch (error) {
    complain(error)
    return null
  }
}

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
    const found = await fetched(text)
    if (found === null) return
    try {
      await navigator.clipboard.writeText(found)
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
