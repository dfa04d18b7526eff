import type { By } from '../../protocol/events/event-base.ts'
import { terminalRun } from '../../log/open.ts'
import type { View } from '../fold/view.ts'
import type { SessionSummary } from '../../protocol/http/session-view.ts'

/**
 * The author as people read it: a name, the client it came from, or the kind. `here` is the name of the
 * client that is looked at.
 */
export function whoOf({ kind, name, client }: By, here: string): string {
  if (kind === 'model') return 'the model'
  if (kind === 'system') return 'Tandem'
  return name ?? (client === undefined || client === here ? 'you' : client)
}

/** It came from another program than the one that is looked at. */
export const isElsewhere = ({ kind, client }: By, here: string): boolean =>
  kind === 'user' && client !== undefined && client !== here

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

/** A session without a title is known by what was said first. */
export function titleOf({ title, preview }: Pick<SessionSummary, 'title' | 'preview'>): string {
  const [line = ''] = (title ?? preview ?? '').trim().split('\n', 1)
  return line === '' ? 'New session' : line
}

/** The last folder of a path: enough to tell one workspace from another. */
export function folderName(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? '/'
}
