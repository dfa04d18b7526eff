import { mayAdopt } from '../../view/may-adopt.ts'
import type { View } from '../../view/view.ts'
import type { LiveState } from './use-live-terminal.ts'

interface NoticeProps {
  view: View
  shown: LiveState
  stopped: string | null
}

/** One line below the terminal: what matters most now. */
export function Notice({ view, shown, stopped }: NoticeProps) {
  const { kind, text } = noticeOf(view, shown, stopped)
  return (
    <p className="terminal-notice" role="status" data-kind={kind}>
      {text !== '' && <span>{text}</span>}
      {kind === 'idle' && <span className="key-hint">F6 leaves the terminal</span>}
    </p>
  )
}

interface Said {
  /** `idle`: nothing has to be said, so there is room to say which key leaves. */
  kind: 'secret' | 'warning' | 'quiet' | 'idle'
  text: string
}

function noticeOf(view: View, shown: LiveState, stopped: string | null): Said {
  if (view.terminal?.screen === 'secret')
    return {
      kind: 'secret',
      text: 'A password is asked for. The keyboard is yours: what you type goes to the program only, and the model does not see it.',
    }
  if (shown.refused !== null) return { kind: 'warning', text: shown.refused }
  if (shown.size === null) return { kind: 'quiet', text: 'Opening the terminal…' }
  if (!shown.isLive) return { kind: 'warning', text: 'Not connected; what you see may be old.' }
  if (stopped !== null) return { kind: 'warning', text: stopped }
  if (shown.link !== null) return { kind: 'quiet', text: `Ctrl+click opens ${shown.link}` }
  if (mayAdopt(view)) return { kind: 'quiet', text: whyAdopt }
  return { kind: 'idle', text: sizeOf(shown) }
}

/** What an adoption is good for, where one is offered. */
export const whyAdopt =
  'A shell of its own runs in this one. Adopt it, and each command in it has an entry and an exit code.'

function sizeOf({ size, live }: LiveState): string {
  const room = live?.room() ?? null
  const isSmaller =
    size !== null && room !== null && (size.cols < room.cols || size.rows < room.rows)
  return isSmaller ? `${size.cols}×${size.rows}, so that all who look can see it` : ''
}
