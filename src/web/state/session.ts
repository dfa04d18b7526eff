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
import { type ApprovalMode, modeWords } from '../../protocol/events/approval-mode.ts'
import { modesAfter } from '../../view/words/ask.ts'

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

/** One press after the other, each from where the one before it led. */
let walk: Promise<void> = Promise.resolve()
/** The last step: the answer to it may be here before the session tells of it. */
let last: { id: SessionId; from: ApprovalMode; to: ApprovalMode } | null = null

/** The next mode that can be had; the server's words say why one cannot. */
export function cycleMode({ id, snapshot, update }: OpenSession): void {
  walk = walk.then(async () => {
    const seen = snapshot.get().view.state.approval
    const now = last?.id === id && last.from === seen ? last.to : seen
    last = null
    for (const mode of modesAfter(now)) {
      if (!(await update({ approval: mode }))) continue
      last = { id, from: seen, to: mode }
      announce(`${modeWords[mode].name}: ${modeWords[mode].about}`)
      return
    }
  })
}
