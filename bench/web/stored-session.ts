import { randomUUID } from 'node:crypto'
import { evolve } from '../../src/log/evolve.ts'
import { foldVersion, initialState } from '../../src/log/state.ts'
import type { Event } from '../../src/protocol/events/event.ts'
import type { EventStore } from '../../src/server/store/store.ts'
import { createLog } from '../../test/client/logs.ts'

const reply =
  'It is **done**: the `build` passes.\n\n- one thing\n- another\n\n```js\nconst answer = 42\n```'

/** A log of whole turns with runs between them, of about this many events. */
function turnsOf(length: number, workspace: string): readonly Event[] {
  const log = createLog()
  log.start(workspace)
  /** What the next step takes to the model, as every step does: else a state would grow with its log. */
  let waiting = [log.prompt('the first thing that was said')]
  for (let turn = 1; log.items.length < length - 10; turn += 1) {
    const prompt = log.prompt(`question ${turn}`)
    const seq = log.turn(prompt)
    const step = log.step(seq, [...waiting, prompt])
    log.reply(step, `${reply}\n\nanswer ${turn}`)
    log.endStep(step)
    log.endTurn(seq, 'done')
    const call = log.call(`echo ${turn}`)
    log.runEnd(log.runStart(call, `echo ${turn}`))
    waiting = [log.respond(call, 'done')]
  }
  log.prompt('the last thing that was said')
  return log.events()
}

export interface StoredOptions {
  title: string
  events: number
  workspace: string
}

/** Put into the store as a server would have, snapshots included. Gives its id. */
export async function storeSession(
  store: EventStore,
  { title, events: length, workspace }: StoredOptions,
): Promise<string> {
  const id = randomUUID()
  const now = Date.now()
  const events = turnsOf(length, workspace).map((event) => ({
    ...event,
    at: now - (length - event.seq) * 10,
    ...(event.type === 'session_start' && { title }),
  }))
  let state = initialState
  for (let at = 0; at < events.length; at += 500) {
    const batch = events.slice(at, at + 500)
    state = batch.reduce<typeof state>(evolve, state)
    const snapshot = { seq: state.head, foldVersion, state: JSON.stringify(state) }
    const isLast = at + 500 >= events.length
    await store.append(id, at, { events: batch, ...(!isLast && { snapshot }) })
  }
  return id
}
