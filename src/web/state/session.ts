import { createContext, useContext, useEffectEvent, useLayoutEffect, useState } from 'react'
import { nextFrame } from '../../client/frame-rate.ts'
import { openSession, type OpenSession } from '../../client/session/session.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { focusComposer } from '../parts/focus.ts'
import type { ComposerDeps } from '../../client/session/composer.ts'
import { assertNever } from '../../base/assert-never.ts'
import { useClear } from '../sessions/use-clear.ts'
import { dialog } from './panels.ts'
import { tabKeep, nextTheme } from './settings.ts'
import { usePage, goTo } from './page.ts'
import { complain, announce } from './toasts.ts'
import { modeWords } from '../../protocol/events/approval-mode.ts'

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

/** Commands that the page does itself; the session would refuse them. */
function useLocalCommands(session: SessionId): ComposerDeps['local'] {
  const clear = useClear(session)
  return ({ name, args }) => {
    switch (name) {
      case 'help':
        return dialog.set('help')
      case 'clear':
        return void clear().catch(complain)
      case 'theme':
        return nextTheme(args)
      case 'quit':
        return goTo(null)
      default:
        return assertNever(name)
    }
  }
}

/** The next mode that can be had; the server's words say why one cannot. */
export async function cycleMode({ nextMode }: OpenSession): Promise<void> {
  const mode = await nextMode()
  if (mode !== null) announce(`${modeWords[mode].name}: ${modeWords[mode].about}`)
}
