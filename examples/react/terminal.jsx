import { Terminal as Xterm } from '@xterm/xterm'
import { useEffect, useRef, useState } from 'react'
import { useTerminal } from 'tandem/react'

/** The shell that the chat's commands run in. */
export function Terminal({ token, session }) {
  const place = useRef(null)
  const [screen, setScreen] = useState(null)
  const { link, refused, type } = useTerminal({ url: location.origin, token, session, screen })

  useEffect(() => {
    const xterm = new Xterm({ rows: 24, cols: 80 })
    xterm.open(place.current)
    xterm.onData(type)
    setScreen(xterm)
    return () => {
      setScreen(null)
      xterm.dispose()
    }
  }, [type])

  return (
    <figure data-link={link}>
      <div ref={place} />
      <figcaption>
        {session === null ? 'Send something first: a session has the shell.' : (refused ?? link)}
      </figcaption>
    </figure>
  )
}
