import type { By } from '../../protocol/by.ts'
import type { Ask } from '../../view/entry.ts'
import { whoOf } from './who.ts'

interface AskWords {
  title: string
  action: string
  /** What would be done can be changed before it is. */
  isEditable: boolean
}

/** A question in a person's words: to run, to type and to read are not the same yes. */
export function askWords({ kind }: Ask, by: By, isRead: boolean): AskWords {
  if (isRead) return { title: 'Let the model read this file?', action: 'Allow', isEditable: false }
  if (kind === 'terminal_input')
    return { title: 'Type this for the model?', action: 'Type', isEditable: true }
  return { title: `Run this for ${whoOf(by)}?`, action: 'Run', isEditable: true }
}
