import { expect, test } from 'vitest'
import type { SessionHost } from '../../session/host.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import { refused, type Result } from '../../../base/result.ts'
import { StoreError } from '../../store/store-error.ts'
import { httpBounds } from '../bounds.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createTerminalViews } from './terminal-views.ts'

const session = '00000000-0000-7000-8000-0000000000aa'

type Found = Result<SessionHost, Refusal>
interface Looking {
  resolve(found: Found): void
  reject(error: Error): void
}

/** A socket whose sessions are found when the test says so, and all that it was told. */
function openSocket() {
  const found: Looking[] = []
  const told: unknown[] = []
  const deps = {
    hosts: {
      open: () =>
        new Promise<Found>((resolve, reject) => {
          found.push({ resolve, reject })
        }),
    },
    bounds: httpBounds,
    diagnostics: () => undefined,
  }
  const outlet = {
    isOpen: () => true,
    unsent: () => 0,
    push: (data: string | Uint8Array) => told.push(JSON.parse(String(data))),
    onClose: () => () => undefined,
    finish: () => undefined,
  }
  const subscriptions = createSubscriptions(deps, outlet)
  const views = createTerminalViews(deps, outlet)
  return { subscriptions, views, told, found: (at: number) => found[at] ?? never() }
}

function never(): never {
  throw new Error('nobody looked for the session')
}

const no = (message: string) => refused<Refusal>({ code: 'not_found', message })
const view = { type: 'view', session, rows: 24, cols: 80, visible: true } as const
const turns = () => new Promise((done) => setImmediate(done))

test.each(['fails', 'is refused'] as const)(
  '[HTTP60] what was asked for, taken back and asked for again is answered as the second asks, though the first %s later',
  async (how) => {
    const { subscriptions, views, told, found } = openSocket()
    views.view(view)
    views.unview({ type: 'unview', session })
    views.view(view)
    subscriptions.add(session, 0)
    subscriptions.remove(session)
    subscriptions.add(session, 0)
    for (const at of [0, 2])
      if (how === 'fails') found(at).reject(new Error('broken'))
      else found(at).resolve(no('the first'))
    await turns()
    expect(told).toEqual([])
    for (const at of [1, 3]) found(at).resolve(no('the second'))
    await turns()
    expect(told).toMatchObject([
      { type: 'refused', message: 'the second', to: 'view' },
      { type: 'refused', message: 'the second', to: 'subscribe' },
    ])
  },
)

test('[HTTP60] a socket is told what is wrong with the world, as a request would be', async () => {
  const { subscriptions, views, told, found } = openSocket()
  views.view(view)
  subscriptions.add(session, 0)
  for (const at of [0, 1]) found(at).reject(new StoreError('disk_full', 'no room'))
  await turns()
  expect(told).toMatchObject([
    { code: 'disk_full', to: 'view' },
    { code: 'disk_full', to: 'subscribe' },
  ])
})
