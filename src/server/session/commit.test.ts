import { expect, test } from 'vitest'
import { Event } from '../../protocol/events/event.ts'
import { evolve } from '../../log/evolve.ts'
import { initialState } from '../../log/state.ts'
import { createCommit, createPublisher } from './commit.ts'
import { createLive } from './live.ts'
import { createMeasuredRequests } from './measured-requests.ts'
import { createMemoryStore } from '../store/memory.ts'
import { simulate } from '../../../test/support/simulate.ts'

test('[HOST17] a wire that throws while it measures leaves nothing measured: the prompt is sent once', async () => {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go there', as: 'auto' })
  const [first, ...rest] = simulation.log
  const id = '00000000-0000-7000-8000-000000000000'
  const store = createMemoryStore()
  await store.append(id, 0, { events: [first!] })
  const requests = createMeasuredRequests(store, id)
  const live = createLive(() => undefined)
  const read = async () => []
  const publisher = createPublisher({ read, diagnose: () => undefined })
  const commit = createCommit({ id, store, requests, live, publisher })
  const before = [first!].reduce(evolve, initialState)
  const over = (adapter: string) =>
    rest.map((event) => (event.type === 'epoch_start' ? Event.parse({ ...event, adapter }) : event))
  const broken = commit({ before, events: over('unheard-of') })
  await expect(broken).rejects.toThrow('unheard-of')
  await commit({ before, events: over('openai-chat') })
  const said = requests.request().messages.filter((message) => message.includes('go there'))
  expect(said).toHaveLength(1)
})
