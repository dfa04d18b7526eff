import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../../test/client/logs.ts'
import type { Frame } from '../../protocol/stream/frame.ts'
import type { Pending } from '../../view/rows/letter.ts'
import { createStore } from '../store.ts'
import { ClientError } from '../wire/client-error.ts'
import { intentsOf } from './intents.ts'
import { openSession } from './session.ts'

const refused = (code: string) =>
  new ClientError('No.', {
    kind: 'refused',
    status: 409,
    refusal: { code, message: 'No.' } as never,
  })

/** A server that refuses these routes. */
function scripted(refusals: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const call = async ({ path }: { path: string }) => {
    const name = path.split('/').at(-1) ?? ''
    asked.push(name)
    if (refusals[name] !== undefined) throw refused(refusals[name])
    return {}
  }
  return { asked, call: call as never }
}

test('[CLIENT38] Stop ends the turn, or the command where there is none; what ended by itself is no failure', async () => {
  const stopped = async (refusals: Record<string, string>, hasTurn: boolean) => {
    const { asked, call } = scripted(refusals)
    await intentsOf({ call }, 'session-1').stop({ hasTurn })
    return asked
  }
  expect(await stopped({}, true)).toEqual(['abort'])
  expect(await stopped({}, false)).toEqual(['interrupt'])
  expect(await stopped({ abort: 'no_turn' }, true)).toEqual(['abort', 'interrupt'])
  expect(await stopped({ abort: 'no_turn', interrupt: 'no_run' }, true)).toEqual([
    'abort',
    'interrupt',
  ])
  await expect(stopped({ abort: 'unauthorized' }, true)).rejects.toThrow('No.')
})

interface Answers {
  refusals?: Readonly<Record<string, string>>
  update?: (approval: string) => Promise<unknown>
  takeBack?: (key: string) => boolean
}

function opened({ refusals = {}, update, takeBack = () => true }: Answers = {}) {
  const log = createLog()
  log.start()
  const [first] = log.events()
  const { call, asked } = scripted(refusals)
  const view = {
    seq: 1,
    approval: 'guarded',
    open: { turn: null, step: null, calls: [], runs: [], asks: [], queue: [] },
  }
  const answering = async (
    route: { path: string; method: string },
    input: { body?: { approval: string } },
  ) => {
    if (update && input.body?.approval !== undefined) return update(input.body.approval)
    if (route.path.endsWith('/log')) return { events: [first], head: 1 }
    if (route.path.endsWith('/:id')) return { ...view, shell: null, workspace: '/w' }
    return (call as (given: unknown) => Promise<unknown>)(route)
  }
  let tell: (frames: readonly Frame[]) => void = () => {}
  const source = {
    follow: ({ onFrames }: { onFrames: typeof tell }) => {
      tell = onFrames
      return new Promise<void>(() => {})
    },
  }
  const letters = createStore<readonly Pending[]>([])
  const outbox = { letters, submit: vi.fn(), retry: vi.fn(), drop: vi.fn(), takeBack }
  const onRefused = vi.fn()
  const session = openSession(
    {
      client: { call: answering } as never,
      typeSecret: async () => null,
      source,
      outbox: outbox as never,
      sessions: { follow: vi.fn(), list: createStore(null) },
      keep: { get: () => null, set: () => {}, names: () => [] },
      nextPicture: (show) => {
        const timer = setTimeout(show)
        return () => clearTimeout(timer)
      },
      local: vi.fn(),
      focus: vi.fn(),
      onNew: vi.fn(),
      onRefused,
    },
    'session-1',
  )
  onTestFinished(session.close)
  return {
    session,
    outbox,
    letters,
    onRefused,
    asked,
    log,
    tell: (frames: Frame[]) => tell(frames),
  }
}

test('[CLIENT38] an action of an open session says whether it was done and throws nothing', async () => {
  const { session, onRefused } = opened({ refusals: { answer: 'already_answered' } })
  const answer = { ask: 'ask-1', outcome: 'allow' } as never
  expect(await session.answer(answer)).toBe(false)
  expect(onRefused).toHaveBeenCalledTimes(1)
  expect(await session.drive('person')).toBe(true)
})

test('[CLIENT28] a letter is dropped when what is shown has it, and letters wait for the line', async () => {
  const { session, outbox, letters, log, tell } = opened()
  session.submit('hello')
  expect(outbox.submit).toHaveBeenCalledWith(
    {
      session: 'session-1',
      text: 'hello',
      as: 'auto',
      after: 0,
    },
    { exposed: false },
  )
  const letter = { key: 'k', session: 'session-1', text: 'hello', as: 'auto', at: 0, after: 0 }
  letters.set([{ ...letter, as: 'auto', state: { phase: 'accepted', head: 2 } }])
  expect(outbox.drop).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(session.snapshot.get().view.state.head).toBe(1))
  log.prompt('hello')
  const event = log.events()[1]
  await vi.waitFor(() => {
    tell([{ type: 'event', event: event as never }, { type: 'live' } as never])
    expect(outbox.drop).toHaveBeenCalledWith('k')
  })
  expect(outbox.retry).toHaveBeenCalled()
})

test('[CLIENT34] words of the open reply change nothing else that is shown', async () => {
  const { session, log, tell } = opened()
  await vi.waitFor(() => expect(session.snapshot.get().view.state.head).toBe(1))
  const step = log.step(log.turn(log.prompt('hello')))
  const events = log.events().slice(1)
  tell(events.map((event) => ({ type: 'event', event })))
  await vi.waitFor(() => expect(session.reply.get()?.seq).toBe(step))
  const changed = vi.fn()
  session.snapshot.subscribe(changed)
  const said = (offset: number, text: string): Frame => ({
    type: 'delta',
    delta: { type: 'message_delta', step, offset, text },
  })
  tell([said(0, 'one'), said(3, ' two')])
  await vi.waitFor(() =>
    expect(session.reply.get()?.reply).toMatchObject({ live: { text: 'one two' } }),
  )
  expect(changed).not.toHaveBeenCalled()
  log.reply(step, 'one two')
  tell(
    log
      .events()
      .slice(-1)
      .map((event) => ({ type: 'event', event })),
  )
  await vi.waitFor(() => expect(session.reply.get()).toBe(null))
  expect(changed).toHaveBeenCalledTimes(1)
})

test('[APP72] the next mode passes over one that is refused, and a line that fails leads to no looser one', async () => {
  const asked: string[] = []
  const faults: Record<string, Error> = { 'trusted-session': refused('bad_mode') }
  const { session, onRefused } = opened({
    async update(approval) {
      asked.push(approval)
      if (faults[approval]) throw faults[approval]
      return {}
    },
  })
  await vi.waitFor(() => expect(session.snapshot.get().view.state.head).toBe(1))
  expect(await session.nextMode()).toBe('refuse')
  expect(asked).toEqual(['trusted-session', 'refuse'])
  // Faster than the session tells of it: each press goes on from the one before.
  faults['guarded'] = new ClientError('no answer', { kind: 'unreachable' })
  expect(await Promise.all([session.nextMode(), session.nextMode()])).toEqual(['ask-all', null])
  expect(asked.slice(2)).toEqual(['ask-all', 'guarded'])
  expect(onRefused).toHaveBeenCalledTimes(2)
})

test('[APP72] a change of the mode that hangs in one session holds up no other', async () => {
  const hung = opened({ update: () => new Promise(() => {}) })
  const other = opened({ update: async () => ({}) })
  void hung.session.nextMode()
  expect(await other.session.nextMode()).toBe('trusted-session')
})

test('[CLIENT28] a text that is taken back goes to the composer, before what is written there, unless another client has it', async () => {
  const { session } = opened({ takeBack: (key) => key !== 'elsewhere' })
  const { composer } = session
  const take = (key: string, text: string) => session.takeBack({ key, text, as: 'auto' })
  take('one', 'first')
  expect(composer.get().text).toBe('first')
  take('two', 'second')
  take('elsewhere', 'third')
  expect(composer.get().text).toBe('second\nfirst')
})
