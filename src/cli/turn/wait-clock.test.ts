import { afterEach, expect, test, vi } from 'vitest'
import type { Event } from '../../protocol/events/event.ts'
import { simulate } from '../../../test/support/simulate.ts'
import { createWaitClock } from './output.ts'

afterEach(() => void vi.useRealTimers())

async function eventOf(type: Event['type']): Promise<Event> {
  const simulation = simulate('tags')
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  await simulation.happen({ type: 'effect', pick: 0, fate: 9, text: 'done' })
  const event = simulation.log.findLast((one) => one.type === type)
  if (event === undefined) throw new Error(`no ${type}`)
  return event
}

test('[LOOP5] a person at a terminal is told how long the model has been silent, until it says a word, and again after one', async () => {
  const [start, message] = [await eventOf('step_start'), await eventOf('message')]
  vi.useFakeTimers()
  const notes: string[] = []
  const note = (line: string) => void notes.push(line)
  const clock = createWaitClock({ note, isTerminal: { stdin: true, stdout: true, stderr: true } })
  clock.event(start)
  vi.advanceTimersByTime(76_000)
  clock.event(message)
  vi.advanceTimersByTime(76_000)
  expect(notes).toEqual([
    '  [the model is thinking: 15s]',
    '  [the model is thinking: 30s]',
    '  [the model is thinking: 45s]',
    '  [the model is thinking: 1m 00s]',
    '  [the model is thinking: 1m 15s]',
  ])
  clock.event(start)
  clock.word()
  vi.advanceTimersByTime(31_000)
  clock.event(message)
  expect(notes.splice(5)).toEqual([
    '\n  [the model is still working: 15s]',
    '  [the model is still working: 30s]',
  ])
  const piped = createWaitClock({ note, isTerminal: { stdin: true, stdout: true, stderr: false } })
  piped.event(start)
  vi.advanceTimersByTime(76_000)
  expect(notes).toHaveLength(5)
})
