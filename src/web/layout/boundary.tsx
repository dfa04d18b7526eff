import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  children: ReactNode
  fallback: ReactNode
}

/**
 * What breaks below shows the fallback, and the rest of the page goes on: a part that cannot be loaded
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
      <button className="button" type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </div>
  )
}
