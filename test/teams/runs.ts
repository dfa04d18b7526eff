import type { Event } from '../../src/protocol/events/event.ts'
import { timeOf } from '../store/events.ts'

const by = { kind: 'user' } as const

export const runId = (n: number): string =>
  `sh-00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** A one-shot command in a log: call, start, end and answer, from this seq on. */
export function oneShot({ seq, n }: { seq: number; n: number }): readonly Event[] {
  const base = (offset: number) =>
    ({ v: 1, seq: seq + offset, at: timeOf(seq + offset), by }) as const
  const meta = { isClientInitiated: true }
  const shared = { command: 'true', source: 'api', lane: 'background', private: false } as const
  const run = runId(n)
  return [
    {
      ...base(0),
      type: 'tool_request',
      meta,
      name: 'shell',
      args: 'true',
      index: 0,
      step: null,
      run: { ...shared, timeoutMs: 0, thenTurn: false },
    },
    {
      ...base(1),
      type: 'run_start',
      run,
      request: seq,
      ...shared,
      generation: 0,
      timeoutMs: 0,
      cwd: '/',
    },
    {
      ...base(2),
      type: 'run_end',
      run,
      start: seq + 1,
      outcome: 'ended',
      exitCode: 0,
      signal: null,
      durationMs: 5,
      bytes: 0,
      omitted: 0,
      cwdAfter: null,
      ptyFrom: null,
      ptyTo: null,
      stdout: { bytes: 0, omitted: 0 },
      stderr: { bytes: 0, omitted: 0 },
      content: null,
    },
    {
      ...base(3),
      type: 'tool_response',
      meta,
      request: seq,
      status: 'done',
      content: '$ true',
      inContext: true,
    },
  ]
}
