import { lazy, Suspense } from 'react'
import { dialog } from '../state/panels.ts'
import { useStore } from '../state/use-store.ts'
import { Boundary, Broken } from '../parts/boundary.tsx'
import { loadWhenIdle } from '../parts/focus.ts'
import type { SessionDialogProps } from './session-dialog.tsx'

const load = () => import('./session-dialog.tsx')
const SessionDialog = lazy(() => load().then((module) => ({ default: module.SessionDialog })))
// A person who opens one types on at once: by then it should be here.
loadWhenIdle(load)

/** The dialogs of a session, loaded beside the page. */
export function Dialogs(props: Omit<SessionDialogProps, 'name'>) {
  const open = useStore(dialog)
  if (open === 'none' || open === 'new') return null
  return (
    <Boundary fallback={<Broken what="The dialog" />}>
      <Suspense>
        <SessionDialog name={open} {...props} />
      </Suspense>
    </Boundary>
  )
}
