import type { Drive, Interrupt } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { terminalRun } from '../../log/open.ts'
import { type Append, refuse } from '../append.ts'
import { askEdge } from '../commands/command.ts'

export function interrupt({ state, orders }: Append, { signal }: Interrupt): Refusal | null {
  const isRestart = signal === 'restart' && state.shell.phase === 'live'
  if (!isRestart && !terminalRun(state))
    return refuse('no_run', 'Nothing is running in the terminal.')
  orders.signal = signal
  return null
}

export function keep({ state, orders }: Append): Refusal | null {
  const run = terminalRun(state)
  if (!run || run.source === 'model')
    return refuse('no_run', 'No command of yours is running in the terminal.')
  orders.keep = true
  return null
}

export function drive({ state, orders }: Append, { driver }: Drive): Refusal | null {
  if (!terminalRun(state))
    return refuse('no_run', 'Nothing is running in the terminal; the keyboard is yours.')
  orders.driver = driver
  return null
}

/** Asks the edge to adopt the program in the terminal: only the edge can tell whether it is a shell. */
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
