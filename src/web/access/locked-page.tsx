import { Mark } from '../layout/mark.tsx'

const reasons = {
  none: 'This tab has no access yet, and no other open tab could lend it.',
  used: 'That start address was used before, or is too old. Each one works once.',
  unreachable: 'The server does not answer. It may have been stopped.',
  revoked: 'The server no longer takes the token of this tab.',
} as const

export type LockReason = keyof typeof reasons

/** What a visitor without a token sees: why, and the one thing to do. */
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
      <button className="button" type="button" onClick={onRetry}>
        Try again
      </button>
    </main>
  )
}
