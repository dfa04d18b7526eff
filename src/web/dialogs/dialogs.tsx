import { lazy, Suspense } from 'react'
import { dialog } from '../state/dialog.ts'
import { useStore } from '../state/store.ts'
import type { Action } from './actions.ts'

const SessionDialog = lazy(() =>
  import('./session-dialog.tsx').then((module) => ({ default: module.SessionDialog })),
)

/** The dialogs of a session, loaded when the first one is opened. */
export function Dialogs({ actions, model }: { actions: readonly Action[]; model: string | null }) {
  const open = useStore(dialog)
  if (open === 'none' || open === 'new') return null
  return (
    <Suspense>
      <SessionDialog name={open} actions={actions} model={model} />
    </Suspense>
  )
}
