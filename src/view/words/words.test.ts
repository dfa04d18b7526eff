import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallStatus } from '../../protocol/events/call.ts'
import type { CallEntry, RunEntry, RunResult } from '../fold/entry.ts'
import { collapse } from '../text/collapse.ts'
import { duration, runLabel, runTitle, callTitle } from './run.ts'

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
  tag: null,
  state: { phase: 'pending' },
  answer: null,
  ask: null,
}
const result: RunResult = {
  startedAt: 1_000,
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

test('[VIEW7] a run is labelled by how long it took and how it ended', () => {
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

test('[VIEW7] a run is titled with its repo and its folder', () => {
  const beside = { ...pending, source: 'slash', repo: 'shop', cwd: '/src/shop/web' } as const
  expect(runTitle(beside)).toEqual({
    sign: '/shell ',
    command: 'make',
    repo: ' (repo: shop)',
    folder: 'in /src/shop/web',
  })
  expect(runTitle(pending)).toMatchObject({ repo: '', folder: '' })
})

test('[VIEW7] a duration reads as seconds, then minutes, then hours', () => {
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

test('[WEB4] of a text without end in a single line a screen is shown, and the line counts as hidden', () => {
  expect(collapse('x'.repeat(1_000_000))).toEqual({ shown: 'x'.repeat(4_000), hiddenLines: 1 })
  const { shown, hiddenLines } = collapse(`a\nb\n${'x'.repeat(5_000)}\nc\n`)
  expect([shown.length, hiddenLines]).toEqual([4_000, 2])
})

test('[WEB52] a call is titled as a person would say it', () => {
  const call: CallEntry = {
    kind: 'call',
    seq: 1,
    at: 0,
    by: { kind: 'user' },
    name: 'task',
    args: '/task create Ship it',
    tag: null,
    answer: null,
    ask: null,
  }
  const model = { by: { kind: 'model' }, name: 'activate_skill' } as const
  expect([
    callTitle(call),
    callTitle({ ...call, name: 'read_file', args: 'src/a.ts' }),
    callTitle({ ...call, ...model, args: '{"name":"deploy"}' }),
    callTitle({ ...call, ...model, name: 'terminal_read', args: '{}' }),
    callTitle({ ...call, ...model, name: 'terminal_write', args: '{"text":"Ada"}' }),
  ]).toEqual([
    '/task create Ship it',
    '@src/a.ts',
    'activate_skill deploy',
    'terminal_read',
    'types Ada',
  ])
})
