import { createContext, useContext, useEffectEvent, useLayoutEffect, useState } from 'react'
import { nextFrame } from '../../client/frame-rate.ts'
import { openSession, type OpenSession } from '../../client/session/session.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { focusComposer } from '../parts/focus.ts'
import { useLocalCommands } from '../composer/use-local-commands.ts'
import { tabKeep } from './settings.ts'
import { usePage } from './page.ts'
import { complain } from './toasts.ts'

export const SessionContext = createContext<OpenSession | null>(null)

export function useSession(): OpenSession {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('a component stands outside of a session')
  return session
}

/** The session as long as it is on the screen; null before the first picture of it. */
export function useOpenSession(
  id: SessionId,
  onEvent: (id: SessionId, event: Event) => void,
): OpenSession | null {
  const { client, socket, outbox, sessions } = usePage()
  const [session, setSession] = useState<OpenSession | null>(null)
  const local = useEffectEvent(useLocalCommands(id))
  const onNew = useEffectEvent((event: Event) => onEvent(id, event))
  useLayoutEffect(() => {
    const opened = openSession(
      {
        client,
        source: socket,
        typeSecret: socket.secret,
        outbox,
        sessions,
        keep: tabKeep,
        nextPicture: nextFrame,
        local: (command) => local(command),
        focus: focusComposer,
        onNew: (event) => onNew(event),
        onRefused: complain,
      },
      id,
    )
    setSession(opened)
    return opened.close
  }, [client, socket, outbox, sessions, id])
  return session
}
