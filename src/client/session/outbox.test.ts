import { expect, onTestFinished, test, vi } from 'vitest'
import type { Call } from '../wire/call.ts'
import { ClientError } from '../wire/client-error.ts'
import type { Keep } from '../keep.ts'
import { createOutbox } from './outbox.ts'

function mapKeep(map = new Map<string, string>()): Keep {
  return {
    get: (name) => map.get(name) ?? null,
    set: (name, value) => void (value === null ? map.delete(name) : map.set(name, value)),
    names: (prefix) => [...map.keys()].filter((name) => name.startsWith(prefix)),
  }
}

interface Sent {
  session: string
  text: string
  key: string
  signal: AbortSignal
  answer: (head: number) => void
  fail: (error: Error) => void
}

/** A server that answers when the test says so. */
function scripted() {
  const sent: Sent[] = []
  const call = ((_route: unknown, input: never) =>
    new Promise((resolve, reject) => {
      const { params, body, signal } = input as {
        params: { id: string }
        body: { text: string; key: string }
        signal: AbortSignal
      }
      signal.addEventListener('abort', () => reject(signal.reason))
      sent.push({
        session: params.id,
        ...body,
        signal,
        answer: (head) => resolve({ first: head, head }),
        fail: reject,
      })
    })) as unknown as Call
  return { sent, call }
}

const unreachable = () => new ClientError('no answer', { kind: 'unreachable' })
const refused = (code: 'unauthorized' | 'no_run') =>
  new ClientError('No.', { kind: 'refused', status: 409, refusal: { code, message: 'No.' } })

function open(keep: Keep, { deadlineMs = 60_000 } = {}) {
  const server = scripted()
  let keys = 0
  const onLocked = vi.fn()
  const outbox = createOutbox({
    call: server.call,
    keep,
    newKey: () => `key-${(keys += 1)}`,
    now: () => keys,
    onLocked,
    deadlineMs,
  })
  onTestFinished(outbox.close)
  const write = (session: string, text: string) =>
    outbox.submit({ session, text, as: 'auto', after: 0 })
  const shown = () => outbox.letters.get().map(({ text, state }) => `${text} ${state.phase}`)
  return { ...server, outbox, write, shown, onLocked }
}

test('[CLIENT28] a send that hangs holds up its own session only, and can be taken back after a while', async () => {
  const { sent, outbox, write, shown } = open(mapKeep(), { deadlineMs: 50 })
  write('session-1', 'hangs')
  write('session-1', 'after it')
  write('session-2', 'goes')
  expect(sent.map(({ text }) => text)).toEqual(['hangs', 'goes'])
  sent[1]?.answer(1)
  await vi.waitFor(() =>
    expect(shown()).toEqual(['hangs waiting', 'after it waiting', 'goes accepted']),
  )
  // The same key: if it was heard after all, it counts once.
  await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ text: 'hangs', key: 'key-1' }))
  outbox.drop('key-1')
  await vi.waitFor(() =>
    expect(sent.at(-1)).toMatchObject({ text: 'after it', session: 'session-1' }),
  )
})

test('[CLIENT28] texts of a session are sent in their order, each under one key, also by the next client', async () => {
  const keep = mapKeep()
  const first = open(keep)
  first.write('session-1', 'a')
  first.write('session-1', 'b')
  first.sent[0]?.fail(unreachable())
  await vi.waitFor(() => expect(first.shown()).toEqual(['a waiting', 'b waiting']))
  first.outbox.close()
  const next = open(keep)
  next.sent[0]?.answer(1)
  await vi.waitFor(() => expect(next.sent.length).toBe(2))
  next.sent[1]?.answer(2)
  await vi.waitFor(() => expect(next.shown()).toEqual(['a accepted', 'b accepted']))
  expect(next.sent.map(({ text, key }) => [text, key])).toEqual([
    ['a', 'key-1'],
    ['b', 'key-2'],
  ])
  expect(open(keep).shown()).toEqual([])
})

test('[CLIENT28] a refused text is kept until a composer has it back, and only one client gets it', async () => {
  const keep = mapKeep()
  const first = open(keep)
  first.write('session-1', '/nonsense')
  first.sent[0]?.fail(refused('no_run'))
  await vi.waitFor(() => expect(first.shown()).toEqual(['/nonsense refused']))
  const [tab, other] = [open(keep), open(keep)]
  expect([tab.shown(), tab.sent]).toEqual([['/nonsense refused'], []])
  expect([tab.outbox.takeBack('key-1'), other.outbox.takeBack('key-1')]).toEqual([true, false])
  expect([tab.shown(), other.shown(), open(keep).shown()]).toEqual([[], [], []])
})

test('[CLIENT28] a text that another client takes back is not sent from here, whoever wrote it', async () => {
  const keep = mapKeep()
  const first = open(keep)
  first.write('session-1', 'a')
  first.write('session-1', 'b')
  first.sent[0]?.fail(unreachable())
  await vi.waitFor(() => expect(first.shown()).toEqual(['a waiting', 'b waiting']))
  const next = open(keep)
  next.sent[0]?.fail(unreachable())
  next.outbox.drop('key-2')
  first.outbox.changedElsewhere('tandem.outbox.key-1')
  first.outbox.changedElsewhere('tandem.outbox.key-2')
  first.outbox.changedElsewhere('tandem.settings')
  expect(first.shown()).toEqual(['a waiting'])
  first.outbox.retry()
  await vi.waitFor(() => expect(first.sent.length).toBe(2))
  first.sent[1]?.answer(1)
  await vi.waitFor(() => expect(first.shown()).toEqual(['a accepted']))
  // It is shown until the log has it.
  first.outbox.changedElsewhere('tandem.outbox.key-1')
  expect([first.shown(), first.sent.length]).toEqual([['a accepted'], 2])
})

test('[CLIENT28] a text that is taken back while it is being sent is sent no further, here or elsewhere, and the next one goes at once', async () => {
  const keep = mapKeep()
  const first = open(keep)
  for (const text of ['a', 'b', 'c']) first.write('session-1', text)
  first.outbox.drop('key-1')
  expect(first.sent[0]?.signal.aborted).toBe(true)
  await vi.waitFor(() => expect(first.sent[1]).toMatchObject({ text: 'b' }))
  open(keep).outbox.drop('key-2')
  first.outbox.changedElsewhere('tandem.outbox.key-2')
  expect(first.sent[1]?.signal.aborted).toBe(true)
  await vi.waitFor(() => expect(first.sent[2]).toMatchObject({ text: 'c' }))
  expect(first.shown()).toEqual(['c sending'])
})

test('[CLIENT28] with a token that no longer counts everything waits for one that does', async () => {
  const { sent, write, shown, onLocked } = open(mapKeep())
  write('session-1', 'a')
  sent[0]?.fail(refused('unauthorized'))
  await vi.waitFor(() => expect(onLocked).toHaveBeenCalled())
  expect(shown()).toEqual(['a waiting'])
})
