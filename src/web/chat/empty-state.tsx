import type { ReactNode } from 'react'
import { Mark } from '../layout/mark.tsx'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'

const examples = [
  { text: 'list the files', about: 'the model runs ls in the shell you share' },
  { text: '!git status', about: 'you run a command; the model reads along' },
  { text: '!false', about: 'let something fail, then ask “what failed?”' },
  { text: 'clean up', about: 'the model proposes to delete, and you are asked first' },
] as const

interface EmptyStateProps {
  workspace: string
  isDemo: boolean
  /** Where the session begins. */
  children: ReactNode
}

/** What one can do here, each one press away and all of it without a network. */
export function EmptyState({ workspace, isDemo, children }: EmptyStateProps) {
  const { outbox } = usePage()
  const { id } = useSession()
  return (
    <div className="empty">
      <Mark size={44} />
      <h2>One shell, two drivers</h2>
      <p className="empty-where">
        in <bdi>{workspace}</bdi>
      </p>
      {children}
      <ul>
        {examples.map(({ text, about }) => (
          <li key={text}>
            <button type="button" onClick={() => outbox.submit({ session: id, text, as: 'auto' })}>
              <code className={text.startsWith('!') ? 'is-bash' : 'is-chat'}>{text}</code>
              <span>{about}</span>
            </button>
          </li>
        ))}
      </ul>
      {isDemo && (
        <p className="empty-note">
          This is the built-in demo, not a language model. Set a key, or start a local server, to
          talk to a real one.
        </p>
      )}
    </div>
  )
}
