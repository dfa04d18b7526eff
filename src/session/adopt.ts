import type { Refusal } from '../protocol/refusal.ts'
import { terminalRun } from '../log/open.ts'
import type { Append } from './append.ts'
import { askEdge } from './commands/command.ts'
import { refuse } from './refuse.ts'

/** Whether what reads in the terminal is a shell, only the edge can find out. */
export function adopt(append: Append, text = '/adopt'): Refusal | null {
  const { state } = append
  const run = terminalRun(state)
  if (state.shell.phase !== 'live' || (!run && !state.isMute))
    return refuse('no_run', 'There is no shell to adopt: nothing runs in the terminal.')
  if (run?.private)
    return refuse(
      'no_run',
      'A private command is not adopted: the model would see what runs in it.',
    )
  if (state.calls.some(({ request }) => request.name === 'adopt'))
    return refuse('taken', 'A shell is being adopted already.')
  return askEdge(append, 'adopt', { text, args: new Map() })
}
