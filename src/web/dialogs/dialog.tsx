import { useEffect, useRef, type ReactNode } from 'react'
import { Complaints } from '../parts/boundary.tsx'

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
      // Not on the click: a selection that ends outside began inside.
      onPointerDown={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-body">
        {children}
        {/* Whatever stands outside cannot be reached now. */}
        <Complaints />
      </div>
    </dialog>
  )
}
