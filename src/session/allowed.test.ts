import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../protocol/events/event.ts'
import type { RunStart } from '../protocol/events/run.ts'
import { happenings, simulate } from '../../test/support/simulate.ts'

const runs = { numRuns: Number(process.env['TANDEM_PROPERTY_RUNS'] ?? 600) }

test('[APP1] a model’s command runs only after the policy allowed it or a person said yes', () =>
  fc.assert(
    fc.asyncProperty(happenings, async (list) => {
      const simulation = simulate(list.length % 2 === 0 ? 'tags' : 'tools')
      for (const happening of list) await simulation.happen(happening)
      const { log } = simulation
      let level = 0
      let isReplaced = false
      for (const event of log) {
        if (event.type === 'shell_start') isReplaced = false
        if (event.type === 'shell_adopt') level = event.level
        if (event.type === 'shell_adopt' && event.level === 0) isReplaced = true
        if (event.type === 'shell_leave') level = event.level - 1
        if (event.type !== 'run_start' || event.source !== 'model') continue
        const yes = event.yes ?? editedYes(log, event)
        if (yes !== undefined) expect(isYesFor(log, event, yes)).toBe(true)
        else expect(isAllowed(log, event)).toBe(true)
        if (level > 0 || isReplaced) expect(yes).toBeDefined()
      }
    }),
    runs,
  ))

/** A yes to another command than was asked about, which no later run may name: it is for the one start after it. */
function editedYes(log: readonly Event[], run: RunStart): number | undefined {
  const last = log.slice(0, run.seq - 1).findLast((event) => {
    if (event.type === 'run_start') return event.request === run.request
    if (event.type !== 'elicitation_response') return false
    const ask = log[event.request - 1]
    return ask?.type === 'elicitation_request' && ask.request === run.request
  })
  return last?.type === 'elicitation_response' && last.command !== undefined ? last.seq : undefined
}

/** A person said yes to this command, or to all others of its reply, before it started. */
function isYesFor(log: readonly Event[], run: RunStart, seq: number): boolean {
  const yes = log.slice(0, run.seq - 1)[seq - 1]
  if (yes?.type !== 'elicitation_response' || yes.outcome !== 'allow') return false
  const ask = log[yes.request - 1]
  if (ask?.type !== 'elicitation_request') return false
  if (ask.request === run.request) return run.command === (yes.command ?? ask.command)
  const stepOf = (call: number | null) => {
    const request = log[(call ?? 0) - 1]
    return request?.type === 'tool_request' ? request.step : null
  }
  const step = stepOf(run.request)
  return yes.scope === 'reply' && step !== null && step === stepOf(ask.request)
}

/** It only reads, or each rule that it names came with a yes and is for just this command. */
function isAllowed(log: readonly Event[], { seq, command, verdict }: RunStart): boolean {
  if (['ls', 'pwd'].includes(command)) return true
  const given = log
    .slice(0, seq - 1)
    .flatMap((event) =>
      event.type === 'elicitation_response' && event.outcome === 'allow' && event.rule
        ? [event.rule]
        : [],
    )
  const rules = verdict?.rules ?? []
  return (
    rules.length > 0 &&
    rules.every((id) =>
      given.some((rule) => rule.id === id && [rule.program, ...rule.args].join(' ') === command),
    )
  )
}
