import type { ComponentProps } from 'react'

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
