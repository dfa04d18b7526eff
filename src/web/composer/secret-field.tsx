import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { Secret } from '../../client/session/secret.ts'
import { isComposed } from '../../view/composer/keys.ts'
import { secretWords } from '../../view/words/terminal-line.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { focusComposer } from '../parts/focus.ts'
import { useSession } from '../state/session.ts'

/** A person who types into the terminal or another field, or answers a dialog, goes on there. */
const isElsewhere = () =>
  document.activeElement?.closest('.xterm, dialog, [role="dialog"], textarea, input') instanceof
  Element

/** Takes the focus that the composer had, and gives it back. */
function useFocus() {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const field = ref.current
    if (!isElsewhere()) field?.focus()
    return () => {
      if (document.activeElement === field || !isElsewhere()) requestAnimationFrame(focusComposer)
    }
  }, [])
  return ref
}

/** Stands in the composer's place while a program reads a secret; what is typed goes to that program only. */
export function SecretField({ now }: { now: Secret }) {
  const { secret, stop } = useSession()
  const ref = useFocus()
  const words = secretWords(now)
  const send = () => void secret.send()

  function end(): void {
    if (now.phase !== 'asked') return secret.discard()
    // The program that it was for ends; a message comes back.
    if (now.wasMessage === null) secret.write('')
    void stop()
  }

  function onKey(event: KeyboardEvent): void {
    if (isComposed(event.nativeEvent)) return
    const isStop = event.key === 'Escape' || (event.key === 'c' && event.ctrlKey)
    if (event.key !== 'Enter' && !isStop) return
    event.preventDefault()
    if (event.key === 'Enter' && now.phase !== 'over') return send()
    if (isStop) end()
  }

  return (
    <div className="secret">
      <p className="secret-words" id="secret-words" role="status">
        {words.line}
      </p>
      <div className="composer-line">
        <span className="composer-sign" aria-hidden="true">
          🔒
        </span>
        <input
          id="secret"
          ref={ref}
          type="password"
          autoComplete="off"
          data-1p-ignore=""
          data-lpignore="true"
          aria-label={words.label}
          aria-describedby="secret-words"
          value={now.text}
          readOnly={now.isSent || now.phase === 'over'}
          onChange={({ target }) => secret.write(target.value)}
          onKeyDown={onKey}
        />
      </div>
      <div className="secret-actions">
        {now.problem !== null && <span role="alert">{now.problem}</span>}
        {now.phase !== 'over' && <LinkButton onClick={send}>Give it to the program</LinkButton>}
        {now.phase === 'likely' && (
          <LinkButton onClick={secret.toModel}>Send it to the model</LinkButton>
        )}
        {now.wasMessage !== null && now.text !== '' && (
          <LinkButton onClick={secret.putBack}>Put it back as a message</LinkButton>
        )}
        <LinkButton onClick={end}>
          {now.phase === 'asked' ? 'Stop the program' : 'Discard'}
        </LinkButton>
      </div>
    </div>
  )
}
