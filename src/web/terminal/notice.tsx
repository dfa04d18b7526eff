import type { View } from '../../view/view.ts'
import type { LiveState } from './use-live-terminal.ts'

interface NoticeProps {
  view: View
  shown: LiveState
  stopped: string | null
}

/** One line below the terminal: what matters most now. */
export function Notice({ view, shown, stopped }: NoticeProps) {
  const { kind, text, hasKey = false } = noticeOf(view, shown, stopped)
  return (
    <p className="terminal-notice" role="status" data-kind={kind}>
      {text !== '' && <span>{text}</span>}
      {hasKey && <span className="key-hint">F6 leaves the terminal</span>}
    </p>
  )
}

interface Said {
  kind: 'secret' | 'warning' | 'quiet'
  text: string
  /** There is room to say which key leaves. */
  hasKey?: boolean
}

function noticeOf({ terminal }: View, shown: LiveState, stopped: string | null): Said {
  if (terminal?.screen === 'secret')
    return {
      kind: 'secret',
      text: 'A password is asked for. The keyboard is yours: what you type goes to the program only, and the model does not see it.',
    }
  if (shown.refused !== null) return { kind: 'warning', text: shown.refused }
  if (shown.size === null) return { kind: 'quiet', text: 'Opening the terminal…' }
  if (!shown.isLive) return { kind: 'warning', text: 'Not connected; what you see may be old.' }
  if (stopped !== null) return { kind: 'warning', text: stopped }
  if (shown.link !== null) return { kind: 'quiet', text: `Ctrl+click opens ${shown.link}` }
  return { kind: 'quiet', text: sizeOf(shown), hasKey: true }
}

function sizeOf({ size, live }: LiveState): string {
  const room = live?.room() ?? null
  const isSmaller =
    size !== null && room !== null && (size.cols < room.cols || size.rows < room.rows)
  return isSmaller ? `${size.cols}×${size.rows}, so that all who look can see it` : ''
}
