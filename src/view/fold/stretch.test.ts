import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyLogWithSettings, createLog, type Item } from '../../../test/client/logs.ts'
import { viewOf as sessionView } from '../../server/session/session-host.ts'
import { applyDelta } from './deltas.ts'
import { applyEvent, viewOf } from './entries.ts'
import { eachEntry, findEntry } from './entry-list.ts'
import type { Entry } from './entry.ts'
import { openStretch } from './opened.ts'
import { emptyStretch, extendStretch, prependStretch, type Stretch } from './stretch.ts'
import { emptyView, type View } from './view.ts'

const apply = (view: View, item: Item): View =>
  'event' in item ? applyEvent(view, item.event) : applyDelta(view, item.delta)
const extend = (stretch: Stretch, item: Item): Stretch =>
  'event' in item
    ? extendStretch(stretch, item.event)
    : { ...stretch, view: applyDelta(stretch.view, item.delta) }
const entriesOf = (view: View): Entry[] => [...eachEntry(view.entries)]
const eventsOf = (items: readonly Item[]) =>
  items.flatMap((item) => ('event' in item ? [item.event] : []))

test('[CLIENT12] pages put before a late start give the list of someone who was there from the first event', () =>
  fc.assert(
    fc.property(
      anyLogWithSettings,
      fc.nat(),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(9)), { minLength: 1 }),
      (items, cut, pages) => {
        const joinedAt = 1 + (cut % items.length)
        const before = eventsOf(items.slice(0, joinedAt))
        const live = items.slice(joinedAt)
        const session = sessionView('s', viewOf(before).state)
        let stretch = openStretch(session, before.slice(before.length - (cut % 7)))
        // Pages come while the session goes on.
        for (let turn = 0; stretch.first > 1 || live.length > 0; turn += 1) {
          const [size = 1, news = 1] = pages[turn % pages.length] ?? []
          stretch = live.splice(0, stretch.first > 1 ? news : live.length).reduce(extend, stretch)
          const end = stretch.first - 1
          stretch = prependStretch(stretch, before.slice(Math.max(0, end - size), end))
        }
        const whole = items.reduce(apply, emptyView)
        expect(stretch.view.entries).toEqual(whole.entries)
        expect(stretch.view.lastTurn).toEqual(whole.lastTurn)
        expect(stretch.loose).toEqual([])
      },
    ),
    { numRuns: 500 },
  ))

test('[CLIENT12] a reply that is being written keeps its text when older entries come', () => {
  const log = createLog()
  log.start()
  const turn = log.turn(log.prompt('hi'))
  const queued = log.add({ type: 'input_queued', text: 'and more' })
  const older = log.events()
  const step = log.step(turn, [queued])
  log.delta({ type: 'message_delta', step, offset: 0, text: 'Well' })
  const late = log.items.slice(older.length).reduce(extend, emptyStretch(older.length + 1))
  const { view } = prependStretch(late, older)
  expect(entriesOf(view).map(({ kind }) => kind)).toEqual(['prompt', 'prompt', 'reply'])
  expect(findEntry(view.entries, queued)).toMatchObject({ state: 'sent' })
  expect(findEntry(view.entries, step)).toMatchObject({ reply: { live: { text: 'Well' } } })
})
