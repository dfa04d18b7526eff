import { Component, type ReactNode } from 'react'
import { Button } from './buttons.tsx'

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
