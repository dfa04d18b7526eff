import { useEffect, useRef, type ReactNode } from 'react'

interface DialogProps {
  title: string
  className?: string
  onClose: () => void
  children: ReactNode
}

/** The browser's own dialog: it keeps the focus inside, closes with Esc and gives the focus back. */
export function Dialog({ title, className = '', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    if (current && !current.open) current.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}
