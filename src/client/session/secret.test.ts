import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { RunStart } from '../../protocol/events/run.ts'
import type { TerminalUpdate } from '../../protocol/stream/delta.ts'
import { viewOf } from '../../view/fold/entries.ts'
import type { Pending } from '../../view/rows/letter.ts'
import { createStore } from '../store.ts'
import { createComposer } from './composer.ts'
import { createSecretField, type SecretDeps } from './secret.ts'

let clock = 0
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => clock))
afterEach(() => void vi.restoreAllMocks())

const session = '01900000-0000-4000-8000-000000000001'

function terminalAt(screen: TerminalUpdate['screen'], program: string): TerminalUpdate {
  const size = { rows: 24, cols: 80 }
  const common = { type: 'terminal', phase: 'running', driver: 'person', cwd: null, size } as const
  return { ...common, screen, integration: 'full', program }
}

const runAt = (seq: number): RunStart => ({
  v: 1,
  seq,
  at: 0,
  by: { kind: 'user' },
  type: 'run_start',
  run: 'sh-01900000-0000-4000-8000-000000000001',
  request: null,
  command: 'sudo true',
  source: 'typed',
  lane: 'terminal',
  private: false,
  generation: 1,
  timeoutMs: 0,
  cwd: null,
})

/** A composer and the field in its place, in front of a terminal that the test moves. */
function open({ type = async () => null }: Partial<Pick<SecretDeps, 'type'>> = {}) {
  const letters = createStore<readonly Pending[]>([])
  const submitted: unknown[] = []
  const given: string[] = []
  let view = viewOf([])

  function refuse(text: string, code = 'secret_awaited'): void {
    const state = { phase: 'refused', code, message: 'no' } as const
    letters.set([{ key: 'k', session, text, as: 'auto', at: 0, after: 0, state }])
  }

  const composer = createComposer({
    session,
    help: { complete: async () => ({ from: 0, to: 0, items: [] }), history: async () => [] },
    keep: { get: () => null, set: () => {}, names: () => [] },
    moment: () => ({ isBusy: true }),
    submit: ({ text }) => queueMicrotask(() => refuse(text)),
    local: () => {},
    stop: () => {},
    isExposed: () => true,
    focus: () => {},
  })
  const field = createSecretField({
    session,
    type: (id, data) => {
      given.push(data)
      return type(id, data)
    },
    outbox: {
      letters,
      takeBack: () => {
        letters.set([])
        return true
      },
    },
    composer,
    view: () => view,
    submit: (input) => submitted.push(input),
    now: () => 0,
  })
  onTestFinished(composer.close)
  onTestFinished(field.close)
  return {
    composer,
    field,
    refuse,
    submitted,
    given,
    /** The terminal has another state, and the run with this number is in front. */
    at(screen: TerminalUpdate['screen'], { program = 'sudo', run = 1 } = {}): void {
      const runs = run === 0 ? [] : [runAt(run)]
      view = { ...view, terminal: terminalAt(screen, program), state: { ...view.state, runs } }
      field.look()
    },
  }
}

test('[SEC5] a draft that comes back with a refused password stays a draft when the program has read it', async () => {
  const { composer, field, given, at } = open()
  at('line')
  // The draft stood there; the password was typed behind it, and Enter was faster than the news.
  for (const text of ['and then', 'and then s3cret']) {
    clock += 3_000
    composer.dispatch({ type: 'typed', text, cursor: text.length })
  }
  clock += 10
  composer.dispatch({ type: 'send' })
  at('secret')
  clock += 10
  await Promise.resolve()
  clock += 10
  expect(composer.get().text).toBe('and then')
  await field.send()
  expect(given).toEqual([' s3cret\r'])
  // The news that it was read is late: the field is there once more, and empty.
  expect(field.get()).toMatchObject({ phase: 'asked', text: '' })
  at('line')
  expect(field.get()).toBeNull()
})

test.each([
  ['another program of the run', { program: 'ssh', run: 1 }],
  ['the same program of another run', { program: 'sudo', run: 2 }],
])('[SEC5] a half-typed secret is never given to %s, nor put into the draft', (_, next) => {
  for (const isSeenBetween of [true, false]) {
    const { composer, field, at } = open()
    at('secret')
    field.write('half')
    if (isSeenBetween) at('line', next)
    at('secret', next)
    expect(field.get()).toMatchObject({ phase: 'asked', program: next.program, text: '' })
    expect(composer.get().text).toBe('')
  }
})

test('[SEC5] a program that asks again goes on with what was typed for it, and a message waits for the person', () => {
  const { composer, field, refuse, at } = open()
  at('secret')
  field.write('half')
  at('line')
  expect(field.get()).toMatchObject({ phase: 'over', text: 'half' })
  at('secret')
  expect(field.get()).toMatchObject({ phase: 'asked', text: 'half' })
  field.write('')
  refuse('a message')
  at('secret')
  at('secret', { program: 'ssh' })
  at('secret', { program: 'ssh' })
  expect(field.get()).toMatchObject({ phase: 'over', text: 'a message' })
  field.putBack()
  expect(composer.get().text).toBe('a message')
  expect(field.get()).toMatchObject({ phase: 'asked', program: 'ssh', text: '' })
})

test('[SEC5] of a program that was typed in the terminal no news come: a refused line waits until it is given or the run is over', async () => {
  const refusal = { code: 'not_waiting', message: 'Nothing reads a secret now.' } as const
  const { field, refuse, at } = open({ type: async () => refusal })
  at('line')
  refuse('s3cret')
  at('line')
  expect(field.get()).toMatchObject({ phase: 'asked', text: 's3cret' })
  await field.send()
  expect(field.get()).toMatchObject({ phase: 'over', problem: refusal.message })
  field.discard()
  at('secret')
  await field.send()
  expect(field.get()).toBeNull()
  at('line')
  refuse('s3cret')
  at('line', { run: 0 })
  expect(field.get()).toMatchObject({ phase: 'over', text: 's3cret' })
})

test('[SEC6] a line that the session suspects is held, whole, and sent with the person’s word', () => {
  const { composer, field, refuse, submitted, at } = open()
  at('line')
  composer.dispatch({ type: 'typed', text: 'is it', cursor: 5 })
  clock += 3_000
  composer.dispatch({ type: 'typed', text: 'is it up?', cursor: 9 })
  composer.dispatch({ type: 'typed', text: '', cursor: 0 })
  refuse('is it up?', 'secret_suspected')
  expect(field.get()).toMatchObject({ phase: 'likely', text: 'is it up?' })
  expect(composer.get().text).toBe('')
  field.toModel()
  expect(submitted).toEqual([{ text: 'is it up?', as: 'auto', notSecret: true }])
})

test('[SEC5] a text that was put into the composer as the program asked is a draft, and only keys are the secret', () => {
  const { composer, field, at } = open()
  at('line')
  clock += 3_000
  composer.dispatch({ type: 'handed-back', text: 'and this, but later', as: 'auto' })
  clock += 100
  at('secret')
  expect(field.get()).toMatchObject({ phase: 'asked', text: '' })
  expect(composer.get().text).toBe('and this, but later')
  at('line')
  composer.dispatch({ type: 'typed', text: 'and this, but laters3c', cursor: 22 })
  at('secret')
  expect(field.get()).toMatchObject({ phase: 'asked', text: 's3c' })
  expect(composer.get().text).toBe('and this, but later')
})

test('[SEC6] a suspected line that was written anew is sent to the model as well', () => {
  const { field, refuse, submitted, at } = open()
  at('line')
  refuse('is it up?', 'secret_suspected')
  field.write('')
  field.write('is it down?')
  field.toModel()
  expect(submitted).toEqual([{ text: 'is it down?', as: 'auto', notSecret: true }])
  expect(field.get()).toBeNull()
})

test.each([
  ['refused', { code: 'not_waiting', message: 'Nothing reads a secret now.' } as const],
  ['read', null],
])(
  '[SEC5] a line of one program that is %s when another asks leaves the other’s field alone',
  async (_, outcome) => {
    let tell: (refusal: typeof outcome) => void = () => {}
    const { field, at } = open({ type: () => new Promise((resolve) => (tell = resolve)) })
    at('secret')
    field.write('for sudo')
    const sent = field.send()
    at('secret', { program: 'ssh' })
    field.write('for s')
    tell(outcome)
    await sent
    expect(field.get()).toMatchObject({ program: 'ssh', text: 'for s', isSent: false })
  },
)

test('[SEC5] a message that is put back while it is on its way to a program leaves an open field', async () => {
  let tell: (refusal: null) => void = () => {}
  const { composer, field, refuse, at } = open({
    type: () => new Promise((resolve) => (tell = resolve)),
  })
  at('secret')
  refuse('a message')
  const sent = field.send()
  field.putBack()
  expect(composer.get().text).toBe('a message')
  expect(field.get()).toMatchObject({ text: '', isSent: false })
  tell(null)
  await sent
  expect(field.get()).toMatchObject({ phase: 'asked', text: '' })
})
