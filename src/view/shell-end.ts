import type { ShellExit } from '../protocol/shell.ts'
import type { View } from './view.ts'

/** How the shell ended that was there last; null when that is not in what is loaded. */
export function shellEnd({ entries }: View): ShellExit['reason'] | null {
  for (const chunk of entries.chunks.toReversed())
    for (const entry of chunk.toReversed())
      if (entry.kind === 'notice' && entry.notice.type === 'shell_ended') return entry.notice.reason
  return null
}
