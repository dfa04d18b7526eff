import { Component, type ReactNode } from 'react'
import { Button } from './buttons.tsx'
import { useStore } from '../state/use-store.ts'
import { dismiss, toasts } from '../state/toasts.ts'
import { CloseIcon } from './icons.tsx'

interface BoundaryProps {
  children: ReactNode
  fallback: ReactNode
}

/**
 * A part that breaks shows the fallback, and the rest of the page goes on: one that cannot be loaded
 * because the server was replaced by another version, or a fault of ours. React asks for a class.
 */
export class Boundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}

/** The one thing that helps; what was typed and what waits is kept. */
export function Broken({ what }: { what: string }) {
  return (
    <div className="gone" role="alert">
      <p>{what} cannot be shown. The server may have been replaced by another version.</p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </div>
  )
}

/** Two prompts side by side: the person's and the shell's. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path className="mark-chat" d="M6 8l8 8-8 8" />
      <path className="mark-bash" d="M17 8l8 8-8 8" />
    </svg>
  )
}

/** Complaints: requests that were refused or failed. */
export function Complaints() {
  return useStore(toasts).map(({ id, text }) => (
    <div key={id} className="toast is-problem" role="alert">
      <span>{text}</span>
      <button
        className="icon-button quiet"
        type="button"
        aria-label="Dismiss"
        onClick={() => dismiss(id)}
      >
        <CloseIcon />
      </button>
    </div>
  ))
}
