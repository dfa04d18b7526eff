import { terminalRun } from '../../log/open.ts'
import type { View } from '../../view/view.ts'

/** `taken`: a person has the keyboard of a run that is the model's. */
export interface WhoDrives {
  who: 'nobody' | 'model' | 'taken' | 'person'
  label: string
}

export function whoDrives({ terminal, state }: View): WhoDrives {
  if (terminal === null || terminal.phase === 'none' || terminal.phase === 'starting')
    return { who: 'nobody', label: 'Starting the shell…' }
  if (terminal.phase === 'moved') return { who: 'nobody', label: 'Moved to another session' }
  if (terminal.phase === 'exited') return { who: 'nobody', label: 'The shell has ended' }
  if (terminal.driver === 'model') return { who: 'model', label: 'The model is typing here' }
  const isModels = terminalRun(state)?.source === 'model'
  // While a secret is read there is nothing to hand back: it is the person's anyhow.
  if (isModels && terminal.screen !== 'secret')
    return { who: 'taken', label: 'You have the keyboard' }
  return { who: 'person', label: terminal.cwd ?? 'Your shell' }
}
