import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Event, Event as EventSchema } from '../protocol/events/event.ts'
import { Intent } from '../protocol/http/intent.ts'
import { evolve } from '../log/evolve.ts'
import { initialState } from '../log/state.ts'
import {
  anyIntent,
  anyReport,
  catalogue,
  type Happening,
  happenings,
  hasOpen,
  privateWord,
  simulate,
} from '../../test/support/simulate.ts'
import { conversation } from './conversation/conversation.ts'
import { decide } from './decide/decide.ts'
import { record } from './record/record.ts'

const runs = { numRuns: Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 600) }

/** Drives a session through the happenings: half of them with tags, half with native calls. */
async function drive(list: readonly Happening[]) {
  const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
  for (const happening of list) await simulation.happen(happening)
  return simulation
}

test('[LOG1] events are numbered from 1 without gaps, and each reads back as it was written', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const { log } = await drive(list)
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
      for (const event of log)
        expect(EventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
    }),
    runs,
  ))

test('[LOG1] folding from any cut gives the same state', () =>
  fc.assert(
    fc.asyncProperty(happenings, fc.nat(), async (list, cut) => {
      const { log, state } = await drive(list)
      const at = cut % (log.length + 1)
      const half = JSON.parse(JSON.stringify(log.slice(0, at).reduce(evolve, initialState)))
      expect(log.slice(at).reduce(evolve, half)).toEqual(state)
    }),
    runs,
  ))

test('[LOG3] every call, run, step, turn and ask that starts is closed exactly once, whatever happens', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = await drive(list)
      await simulation.settle()
      expect(hasOpen(simulation.state)).toBe(false)
      expect(unbalanced(simulation.log)).toEqual([])
    }),
    runs,
  ))

test('[CORE4] no intent and no report makes the core throw, whatever the state it comes to', () =>
  fc.assert(
    fc.asyncProperty(happenings, anyIntent, anyReport, async (list, intent, report) => {
      const { state } = await drive(list)
      const stamp = { at: 1, uuid: '00000000-0000-7000-8000-00000000ffff' }
      decide(state, { ...stamp, by: { kind: 'user' }, body: intent }, catalogue)
      record(state, { ...stamp, by: { kind: 'system' }, body: report }, catalogue)
    }),
    runs,
  ))

test('[CORE4] whatever an intent or a report comes to can be stored', () =>
  fc.assert(
    fc.asyncProperty(happenings, anyIntent, anyReport, async (list, asked, report) => {
      const { state } = await drive(list)
      const stamp = { at: 1, uuid: '00000000-0000-7000-8000-00000000ffff' }
      // The edge lets nothing else through.
      const intent = Intent.safeParse(asked).data ?? { type: 'abort' }
      const decided = decide(state, { ...stamp, by: { kind: 'user' }, body: intent }, catalogue)
      const recorded = record(state, { ...stamp, by: { kind: 'system' }, body: report }, catalogue)
      for (const event of [...(decided.ok ? decided.value.events : []), ...recorded])
        expect(EventSchema.safeParse(event).error).toBeUndefined()
    }),
    runs,
  ))

test('[CORE5] a report that comes late or twice changes nothing', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = await drive(list)
      await simulation.settle()
      const before = simulation.log.length
      await simulation.repeatReports()
      expect(simulation.log.length).toBe(before)
    }),
    runs,
  ))

test('[TR1] within an epoch the conversation of a longer log extends that of a shorter one', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const { log, cuts } = await drive(list)
      let before: readonly unknown[] = []
      for (const cut of cuts) {
        const now = conversation(log.slice(0, cut))
        expect(now.slice(0, before.length)).toEqual(before)
        before = now
      }
    }),
    runs,
  ))

test('[TR1] the conversation grows only by a reply or at a step, which takes each thing once', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const { log } = await drive(list)
      const taken = log.flatMap((event) => (event.type === 'step_start' ? event.takes : []))
      expect(new Set(taken).size).toBe(taken.length)
      let length = 0
      log.forEach((event, index) => {
        const now = conversation(log.slice(0, index + 1)).length
        const may = event.type === 'step_start' || event.type === 'message'
        if (!may) expect(now).toBe(length)
        length = now
      })
    }),
    { numRuns: 300 },
  ))

test('[TR3] a private run never reaches the conversation', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = await drive(list)
      await simulation.settle()
      const hidden = new Set(
        simulation.log.flatMap((event) =>
          event.type === 'tool_request' && event.run?.private ? [event.seq] : [],
        ),
      )
      const blocks = conversation(simulation.log)
      expect(JSON.stringify(blocks)).not.toContain(privateWord)
      const seen = new Set(
        blocks.flatMap((block) =>
          block.kind === 'taken' ? block.parts.map(({ seq }) => seq) : [block.seq],
        ),
      )
      for (const event of simulation.log)
        if (event.type === 'tool_response' && hidden.has(event.request)) {
          expect(seen.has(event.seq)).toBe(false)
          expect(event.content).toBe('')
        }
    }),
    runs,
  ))

test('[TR15] a prompt is taken with all that belongs to it, and nothing of one that was taken back', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = await drive(list)
      await simulation.settle()
      const { log } = simulation
      const calls = log.filter((event) => event.type === 'tool_request')
      const promptOf = new Map(calls.map(({ seq, prompt }) => [seq, prompt]))
      const runs = new Map(
        log.flatMap((event) => (event.type === 'run_start' ? [[event.seq, event.request]] : [])),
      )
      const steps = log.filter((event) => event.type === 'step_start')
      const takenAt = new Map(steps.flatMap(({ seq, takes }) => takes.map((one) => [one, seq])))
      const withdrawn = new Set(
        log.flatMap((event) => (event.type === 'input_withdrawn' ? [event.queued] : [])),
      )
      for (const event of log) {
        const call = event.type === 'tool_response' ? event.request : null
        const ran = event.type === 'run_end' ? (runs.get(event.start) ?? null) : null
        const prompt = promptOf.get(call ?? ran ?? 0)
        if (prompt === undefined) continue
        if (withdrawn.has(prompt)) expect(takenAt.has(event.seq)).toBe(false)
        if (event.type === 'tool_response' && event.inContext && takenAt.has(prompt))
          expect(takenAt.get(event.seq)).toBe(takenAt.get(prompt))
      }
    }),
    runs,
  ))

test('[TR1] a step is never taken with nothing new to read: the model is not asked to go on from its own words', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      for (const event of (await drive(list)).log)
        if (event.type === 'step_start') expect(event.takes.length).toBeGreaterThan(0)
    }),
    runs,
  ))

test('[RUN1] the terminal takes one run at a time, and a command starts at most once', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const { log } = await drive(list)
      let open: number | null = null
      let around: (number | null)[] = []
      const started = new Set<number>()
      for (const event of log) {
        // In a shell that was adopted the next one may start; the one around it goes on.
        if (event.type === 'shell_adopt' && event.level > 0) {
          expect(event.run).toBe(open)
          around = [...around, open]
          open = null
        }
        if (event.type === 'shell_leave') {
          expect(open).toBe(null)
          open = around.at(-1) ?? null
          around = around.slice(0, -1)
        }
        if (event.type === 'run_start') {
          if (event.lane === 'terminal') {
            expect(open).toBe(null)
            open = event.seq
          }
          if (event.request !== null) {
            expect(started.has(event.request)).toBe(false)
            started.add(event.request)
          }
        }
        if (event.type === 'run_end' && event.start === open) open = null
        // No byte of it reached a shell that had moved: it did not start.
        if (event.type === 'run_end' && event.moved) {
          const start = log[event.start - 1]
          if (start?.type === 'run_start' && start.request !== null) started.delete(start.request)
        }
      }
    }),
    runs,
  ))

/** Things that were opened and not closed once, or closed without having been open. */
function unbalanced(log: readonly Event[]): readonly string[] {
  const open = new Set<string>()
  const wrong: string[] = []
  const opens = (key: string) => open.add(key)
  const closes = (key: string) => {
    if (!open.delete(key)) wrong.push(`closed twice or never opened: ${key}`)
  }
  for (const event of log) {
    if (event.type === 'tool_request') opens(`call ${event.seq}`)
    if (event.type === 'tool_response') closes(`call ${event.request}`)
    if (event.type === 'run_start') opens(`run ${event.seq}`)
    if (event.type === 'run_end') closes(`run ${event.start}`)
    if (event.type === 'shell_adopt' && event.level > 0) opens(`level ${event.seq}`)
    if (event.type === 'shell_leave') closes(`level ${event.start}`)
    if (event.type === 'step_start') opens(`step ${event.seq}`)
    if (event.type === 'step_end') closes(`step ${event.start}`)
    if (event.type === 'agent_start') opens(`turn ${event.seq}`)
    if (event.type === 'agent_end') closes(`turn ${event.turn}`)
    if (event.type === 'elicitation_request') opens(`ask ${event.seq}`)
    if (event.type === 'elicitation_response') closes(`ask ${event.request}`)
  }
  return [...wrong, ...[...open].map((key) => `never closed: ${key}`)]
}
