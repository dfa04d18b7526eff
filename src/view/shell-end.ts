import type { ShellExit } from '../protocol/shell.ts'
import type { View } from './view.ts'

/** How the shell ended that was there last; null when that is not in what is loaded, or not told yet. */
export function shellEnd({ state, entries }: View): ShellExit['reason'] | null {
  // The terminal is seen to end before the log tells why; until then the last reason is of another shell.
  if (state.shell.phase === 'live') return null
  for (const chunk of entries.chunks.toReversed())
    for (const entry of chunk.toReversed())
      if (entry.kind === 'notice' && entry.notice.type === 'shell_ended') return entry.notice.reason
  return null
}
