import { Mark } from '../parts/boundary.tsx'
import { Button } from '../parts/buttons.tsx'

const reasons = {
  none: 'This browser is not signed in yet.',
  used: 'That start address was used before, or is too old. Each one works once.',
  unreachable: 'The server does not answer. It may have been stopped.',
  revoked: 'This browser was signed out, or the server has moved to another port.',
  refused:
    'The server knows this browser, and yet refuses what it asks for. What you typed is kept.',
  stranger:
    'The program at this address is not your Tandem server. It was sent nothing, and what you typed is kept.',
} as const

export type LockReason = keyof typeof reasons

/** The page for a visitor who is not signed in: why, and the one thing to do. */
export function LockedPage({ reason, onRetry }: { reason: LockReason; onRetry: () => void }) {
  return (
    <main className="locked">
      <Mark size={40} />
      <h1>Tandem is locked here</h1>
      <p>{reasons[reason]}</p>
      <p>In a terminal on this computer, run</p>
      <pre className="locked-command">
        <code>tandem web</code>
      </pre>
      <p>and open the address it prints.</p>
      <Button onClick={onRetry}>Try again</Button>
    </main>
  )
}
