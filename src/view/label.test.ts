import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallStatus } from '../protocol/call.ts'
import type { RunEntry, RunResult } from './entry.ts'
import { collapse, duration, runLabel } from './label.ts'

const pending: RunEntry = {
  kind: 'run',
  seq: 1,
  at: 0,
  by: { kind: 'user' },
  command: 'make',
  source: 'bang',
  lane: 'terminal',
  private: false,
  cwd: null,
  repo: null,
  state: { phase: 'pending' },
  answer: null,
  ask: null,
}
const result: RunResult = {
  outcome: 'ended',
  exitCode: 0,
  signal: null,
  durationMs: 312,
  bytes: 0,
  omitted: 0,
  cwdAfter: null,
}
const settled = (change: Partial<RunResult>, status: CallStatus = 'done'): RunEntry => ({
  ...pending,
  state: { phase: 'settled', run: null, result: { ...result, ...change } },
  answer: { status, content: '' },
})
const unrun = (status: CallStatus): RunEntry => ({
  ...pending,
  state: { phase: 'settled', run: null, result: null },
  answer: { status, content: '' },
})

test('[VIEW14] a run is labelled by how long it took and how it ended', () => {
  expect([
    runLabel(pending),
    runLabel(settled({})),
    runLabel(settled({ exitCode: 1, durationMs: 12_400 }, 'error')),
    runLabel(settled({ exitCode: null, signal: 'SIGKILL', durationMs: 2_000 }, 'error')),
    runLabel(settled({ exitCode: null })),
    runLabel(settled({ exitCode: 130, durationMs: 3_200 }, 'cancelled')),
    runLabel(settled({ exitCode: 143, durationMs: 30_000 }, 'timeout')),
    runLabel(settled({ outcome: 'lost', exitCode: null }, 'lost')),
    runLabel(settled({ outcome: 'shell_exited', exitCode: null }, 'error')),
    runLabel(unrun('denied')),
    runLabel(unrun('skipped')),
  ]).toEqual([
    'queued',
    '0.3s ✓',
    '12.4s ✗ (exit 1)',
    '2.0s ✗ (SIGKILL)',
    '0.3s',
    'cancelled after 3.2s',
    'timed out after 30.0s',
    'lost after 0.3s',
    '0.3s (the shell exited)',
    'denied',
    'skipped',
  ])
})

test('[VIEW15] a duration reads as seconds, then minutes, then hours', () => {
  expect([0, 49, 50, 59_949, 59_950, 125_000, 3_599_999, 3_720_000].map(duration)).toEqual([
    '0.0s',
    '0.0s',
    '0.1s',
    '59.9s',
    '1m 00s',
    '2m 05s',
    '1h 00m',
    '1h 02m',
  ])
})

test('[VIEW16] twenty lines are shown whole; of more, ten and the count of the rest', () =>
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{0,5}$/), { minLength: 1, maxLength: 60 }),
      (lines) => {
        const { shown, hiddenLines } = collapse(`${lines.join('\n')}\n`)
        const count = lines.length <= 20 ? lines.length : 10
        expect(shown).toBe(lines.slice(0, count).join('\n'))
        expect(hiddenLines).toBe(lines.length - count)
      },
    ),
  ))
