import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../protocol/event.ts'
import { ok } from '../protocol/result.ts'
import { evolve } from '../log/evolve.ts'
import { initialState } from '../log/state.ts'
import { giveShell } from '../session/give-shell.ts'
import {
  beginning,
  catalogueOf,
  countedTime,
  type Given,
  happenings,
  simulate,
  testPerson,
} from '../../test/support/simulate.ts'
import { createWriter, type Writer } from './writer.ts'

const numRuns = Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 600)

/** A real writer on a store in memory. */
function openWriter(dialect: 'tags' | 'tools'): { writer: Writer; log: Event[] } {
  const log = [...beginning]
  const writer: Writer = createWriter({
    ...countedTime(),
    state: beginning.reduce(evolve, initialState),
    catalogue: () => catalogueOf(dialect, writer.state().model),
    commit: async ({ events }) => void log.push(...events),
    findKey: async () => null,
    onState: () => undefined,
    onSignal: () => undefined,
    onDriver: () => undefined,
    onKeep: () => undefined,
    onFull: () => undefined,
    diagnose(message, error) {
      throw new Error(message, { cause: error })
    },
  })
  return { writer, log }
}

async function take(writer: Writer, given: Given): Promise<void> {
  if (given.type === 'intent') await writer.handle(given.intent, testPerson)
  else if (given.type === 'report') await writer.report(given.report)
  else
    await writer.inTurn(async ({ envelope, commit }) => {
      const left = giveShell(writer.state(), envelope(given.shell))
      if (left.ok) await commit(left.value.events)
      return ok(null)
    })
}

test('[LOG60] the writer of a session stores, event by event, what the simulated sessions of the properties have', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const dialect = list.length % 2 === 0 ? 'tags' : 'tools'
      const simulation = simulate(dialect)
      for (const happening of list) simulation.happen(happening)
      simulation.settle()
      const { writer, log } = openWriter(dialect)
      for (const given of simulation.given) await take(writer, given)
      expect(log).toEqual(simulation.log)
      expect(writer.state()).toEqual(simulation.state)
    }),
    { numRuns },
  ))
