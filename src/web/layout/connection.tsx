import type { Link } from '../../client/feed.ts'

const words = {
  connecting: 'connecting',
  replaying: 'replaying',
  live: 'live',
  reconnecting: 'reconnecting',
  closed: 'closed',
} as const

/** How the line to the session stands; said in words, not by colour alone. */
export function Connection({ link }: { link: Link }) {
  return (
    <span className={`connection is-${link.phase}`} role="status" data-phase={link.phase}>
      <span className="connection-dot" aria-hidden="true" />
      <span className="status-word">{words[link.phase]}</span>
    </span>
  )
}
