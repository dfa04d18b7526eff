import { expect, onTestFinished, test, vi } from 'vitest'
import type { Event } from '../../protocol/events/event.ts'
import { defaultSessionLimits } from '../../protocol/limits.ts'
import { evolve } from '../../log/evolve.ts'
import { initialState, noUsage, type SessionState } from '../../log/state.ts'
import { whole } from '../../base/text.ts'
import { firstEvents } from '../hosts/begin-session.ts'
import { createWriter, type Writer, type WriterDeps } from './writer.ts'
import { due } from '../../session/due.ts'
import { factsOf } from '../../session/policy/facts-of.ts'
import { judge } from '../../session/policy/verdict.ts'
import { StoreError } from '../store/store-error.ts'
import { plainShell } from '../../../test/support/plain-shell.ts'
import { catalogue } from '../../../test/support/simulate.ts'

const by = { kind: 'user', client: 'test' } as const

/** A writer on a store that can be told to fail, and what it stored, append by append. */
function open(): {
  writer: Writer
  appends: Event[][]
  store: { failing: StoreError | null }
  full: number[]
  tries(): number
} {
  const appends: Event[][] = []
  const full: number[] = []
  const store: { failing: StoreError | null } = { failing: null }
  let count = 0
  let tries = 0
  const uuid = () => `00000000-0000-7000-8000-${(++count).toString(16).padStart(8, '0')}0000`
  const deps: WriterDeps = {
    state: begun(),
    catalogue: () => catalogue,
    async commit({ events }) {
      tries += 1
      if (store.failing) throw store.failing
      appends.push([...events])
    },
    findKey: async () => null,
    onState: () => undefined,
    onSignal: () => undefined,
    onDriver: () => undefined,
    onKeep: () => undefined,
    onFull: () => full.push(appends.length),
    diagnose: () => undefined,
    clock: () => 5,
    uuid,
  }
  return { writer: createWriter(deps), appends, store, full, tries: () => tries }
}

function begun(): SessionState {
  return firstEvents({
    options: { workspace: '/work', team: 'default' },
    approval: 'guarded',
    limits: defaultSessionLimits,
    opening: [],
    at: 1,
    uuid: '00000000-0000-7000-8000-000000000000',
  }).reduce(evolve, initialState)
}

function types(appends: readonly Event[][]): readonly string[][] {
  return appends.map((events) => events.map((event) => event.type))
}

/** The shell was asked, and the call was judged. */
async function judgeDue(writer: Writer): Promise<void> {
  const state = writer.state()
  for (const effect of due(state)) {
    if (effect.type !== 'judge') continue
    const { call, command, stamp, terms } = effect
    const facts = { ...factsOf(state, { home: '/home/me', trusted: true }), live: plainShell() }
    const verdict = judge(command, { ...facts, files: new Map() })
    const { cwd } = state.shell
    await writer.report({ type: 'judged', call: call.seq, verdict, cwd, stamp, terms })
  }
}

const witness = { prefixBytes: 0, ok: true }
const ended = { signal: null, durationMs: 1, bytes: 0, omitted: 0, ptyFrom: 0, ptyTo: 0 }

test('[CORE1] a step of an allowed command is three appends: reply, run start, run end to next request', async () => {
  const { writer, appends } = open()
  await writer.handle({ type: 'submit', text: 'go', as: 'auto' }, by)
  const step = writer.state().step?.seq ?? 0
  await writer.report({
    type: 'shell-started',
    generation: 1,
    shell: 'bash',
    pid: 7,
    cwd: '/work',
    integration: 'full',
  })
  appends.splice(0)
  const reply = {
    parts: [{ type: 'text' as const, text: '<shell>pwd</shell>' }],
    stop: 'done' as const,
    usage: noUsage,
  }
  await writer.report({ type: 'reply-ended', step, witness, ...reply })
  await judgeDue(writer)
  const run = writer.state().runs[0]?.seq ?? 0
  const output = whole('/work\n')
  await writer.report({
    type: 'run-ended',
    run,
    outcome: 'ended',
    exitCode: 0,
    cwdAfter: '/work',
    output,
    ...ended,
  })
  expect(types(appends)).toEqual([
    ['message', 'tool_request'],
    ['run_start'],
    ['run_end', 'tool_response', 'step_end', 'step_start'],
  ])
})

test('[CORE2] an intent that cannot be stored is refused and has changed nothing', async () => {
  const { writer, appends, store } = open()
  const before = writer.state()
  store.failing = new StoreError('disk_full', 'no room')
  expect(await writer.handle({ type: 'submit', text: '!ls', as: 'auto' }, by)).toMatchObject({
    ok: false,
    error: { code: 'disk_full' },
  })
  expect(writer.state()).toBe(before)
  store.failing = null
  expect(await writer.handle({ type: 'submit', text: '!ls', as: 'auto' }, by)).toMatchObject({
    ok: true,
  })
  expect(types(appends)).toEqual([['tool_request']])
})

test('[CORE2] a report that cannot be stored waits, keeps its order, and holds intents back until it is stored', async () => {
  const { writer, appends, store, full } = open()
  await writer.handle({ type: 'submit', text: '!ls', as: 'auto' }, by)
  store.failing = new StoreError('disk_full', 'no room')
  const reported = writer.report({
    type: 'shell-started',
    generation: 1,
    shell: 'bash',
    pid: 7,
    cwd: '/work',
    integration: 'full',
  })
  expect(await writer.handle({ type: 'submit', text: '!pwd', as: 'auto' }, by)).toMatchObject({
    ok: false,
    error: { code: 'disk_full' },
  })
  store.failing = null
  expect(await writer.handle({ type: 'submit', text: '!pwd', as: 'auto' }, by)).toMatchObject({
    ok: true,
  })
  await reported
  // Those who look were told at once, and once, though it was tried several times.
  expect(full).toEqual([1])
  expect(types(appends)).toEqual([['tool_request'], ['shell_start', 'run_start'], ['tool_request']])
})

test('[CORE2] however many reports wait, a full disk is tried again once at a time', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { writer, store, tries } = open()
  store.failing = new StoreError('disk_full', 'no room')
  const reports: Promise<boolean>[] = []
  for (const generation of [1, 2, 3, 4, 5]) {
    reports.push(writer.report({ type: 'shell-failed', generation, message: 'no' }))
    await vi.advanceTimersByTimeAsync(0)
  }
  const first = tries()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(tries() - first).toBe(4)
  store.failing = null
  await vi.advanceTimersByTimeAsync(500)
  await Promise.all(reports)
  await writer.stop()
  expect(vi.getTimerCount()).toBe(0)
})
