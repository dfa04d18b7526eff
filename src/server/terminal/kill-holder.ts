import { listProcesses, sendSignal } from '../one-shot/process-table.ts'

/**
 * Ends a holder that does not answer, and all that runs in the session of its shell: what it holds nobody could
 * reach again. The shell goes first: as long as its parent has not seen it end, its number is nobody else's.
 */
export function killHolder(holder: number): void {
  const living = listProcesses() ?? []
  const shells = new Set(living.filter(({ parent }) => parent === holder).map(({ pid }) => pid))
  for (const { pid, session } of living) if (shells.has(session)) sendSignal(pid, 'SIGKILL')
  sendSignal(holder, 'SIGKILL')
}
