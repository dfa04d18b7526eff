import { useState } from 'react'
import { useChat } from 'tandem/react'
import { Terminal } from './terminal.jsx'

/** How far a command reaches; an unknown reach is no harmless one. */
const effects = {
  reads: 'Only reads',
  changes: 'Changes files here',
  leaves: 'May leave this folder or use the network',
  unknown: 'Nobody can say what it does',
  destroys: 'Hard to undo',
}

export function Chat({ token }) {
  const chat = useChat({ url: location.origin, token })
  const [text, setText] = useState('')
  const [hasTerminal, setTerminal] = useState(false)

  function send(event) {
    event.preventDefault()
    setText('')
    // What was not sent is given back.
    void chat.sendMessage(text).then((isSent) => isSent || setText(text))
  }

  return (
    <section className="chat" data-status={chat.status}>
      <ol>
        {chat.messages.map(({ id, role, content, timestamp }) => (
          <li key={id} className={role} title={timestamp.toLocaleString()}>
            {content}
          </li>
        ))}
      </ol>
      {chat.asks.map(({ id, command, reasons, causes, grade, offer }) => (
        <div key={id} className="ask" role="group" aria-label="The model asks">
          <code>{command}</code>
          <p>
            {effects[grade ?? 'unknown']}: {reasons.join('; ')}
          </p>
          {causes.map(({ reason, part, targets = [] }) => (
            <p key={reason}>
              {reason}: {part} {targets.join(' ')}
            </p>
          ))}
          <button onClick={() => chat.answer(id, 'allow')}>Run</button>
          <button onClick={() => chat.answer(id, 'deny')}>Deny</button>
          {offer && (
            <p>
              {offer.words}{' '}
              <button onClick={() => chat.answer(id, 'allow', { scope: 'session' })}>
                Run, and that for the rest of the session
              </button>
            </p>
          )}
        </div>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <form onSubmit={send}>
        <input
          aria-label="Message"
          placeholder="Ask something, or run a command: !git status"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {chat.status === 'streaming' ? (
          <button type="button" onClick={chat.stop}>
            Stop
          </button>
        ) : (
          <button disabled={text === ''}>Send</button>
        )}
        <button type="button" onClick={chat.clearMessages}>
          Clear
        </button>
        <button type="button" onClick={() => setTerminal(!hasTerminal)}>
          Terminal
        </button>
      </form>
      {hasTerminal && <Terminal token={token} session={chat.session} />}
    </section>
  )
}
