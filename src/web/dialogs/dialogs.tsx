import { lazy, Suspense } from 'react'
import { dialog } from '../state/dialog.ts'
import { useStore } from '../state/store.ts'
import { whenIdle } from '../state/when-idle.ts'
import type { Action } from './actions.ts'

const load = () => import('./session-dialog.tsx')
const SessionDialog = lazy(() => load().then((module) => ({ default: module.SessionDialog })))
// Whoever opens one types on at once: by then it should be here.
whenIdle(() => void load())

interface DialogsProps {
  actions: readonly Action[]
  model: string | null
  team: string
}

/** The dialogs of a session, loaded beside the page. */
export function Dialogs({ actions, model, team }: DialogsProps) {
  const open = useStore(dialog)
  if (open === 'none' || open === 'new') return null
  return (
    <Suspense>
      <SessionDialog name={open} actions={actions} model={model} team={team} />
    </Suspense>
  )
}
