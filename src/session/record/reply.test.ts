import { expect, test } from 'vitest'
import { Event } from '../../protocol/events/event.ts'
import type { ReplyPart } from '../../protocol/events/message.ts'
import { limits } from '../../protocol/limits.ts'
import { noUsage } from '../../log/state.ts'
import { catalogueOf, simulate } from '../../../test/support/simulate.ts'
import { record } from './record.ts'

const uuid = '00000000-0000-7000-8000-00000000ffff'

/** The stored message of a reply that has come whole. */
async function recorded(
  dialect: 'tags' | 'tools',
  parts: readonly ReplyPart[],
): Promise<readonly Event[]> {
  const simulation = simulate(dialect)
  await simulation.happen({ type: 'submit', text: 'go', as: 'auto' })
  const { state } = simulation
  const witness = { prefixBytes: 0, ok: true }
  const step = state.step?.seq ?? 0
  const report = {
    type: 'reply-ended',
    step,
    parts,
    stop: 'done',
    usage: noUsage,
    witness,
  } as const
  return record(
    state,
    { at: 1, uuid, by: { kind: 'system' }, body: report },
    catalogueOf(dialect),
  ).map((event) => Event.parse(event))
}

function answers(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'tool_response' ? [event.content] : []))
}

function timesOf(events: readonly Event[]): readonly (number | undefined)[] {
  return events.flatMap((event) => (event.type === 'tool_request' ? [event.run?.timeoutMs] : []))
}

test('[LOOP11] of a hundred thousand tags the first fifty count, and the rest are told of once', async () => {
  const text = '<shell>make</shell>'.repeat(100_000)
  const events = await recorded('tags', [{ type: 'text', text }])
  expect(timesOf(events)).toHaveLength(limits.callsPerReply + 1)
  expect(answers(events)).toEqual([
    '$ 99950 more\n[not run: only the first 50 commands of a reply are run]',
  ])
})

test('[LOOP11] a model that calls tools where there are none is told how to run a command, and its turn goes on', async () => {
  const call = (name: string, args: string): ReplyPart => ({ type: 'call', id: '', name, args })
  const calls = [call('terminal_execute', '{"command":"ls -la"}'), call('bash', '{"cmd":"pwd"}')]
  const events = await recorded('tags', calls)
  const why = 'not run: this session has no tools; write the command into your text'
  expect(answers(events)).toEqual([
    `$ ls -la\n[${why}: <shell>ls</shell>]`,
    `$ bash {"cmd":"pwd"}\n[${why}: <shell>ls</shell>]`,
  ])
  expect(events.some(({ type }) => type === 'agent_end')).toBe(false)
  // Where it wrote a tag, too, it knows.
  const both = await recorded('tags', [{ type: 'text', text: '<shell>ls</shell>' }, ...calls])
  expect(answers(both)).toEqual([])
  expect(timesOf(both)).toHaveLength(1)
})

test('[LOOP26] the time that a model asks for is in whole milliseconds, and has an end', async () => {
  const timed = (time: string) => `<shell timeout="${time}">make</shell>`
  const tags = await recorded('tags', [
    { type: 'text', text: ['5', '0', '999999'].map(timed).join('') },
  ])
  expect(timesOf(tags)).toEqual([5_000, limits.modelRunMaxMs, limits.modelRunMaxMs])
  const calls = [0.0123, 1e-300, 1e300].map((timeout, index): ReplyPart => {
    const args = JSON.stringify({ command: 'make', timeout })
    return { type: 'call', id: `c${index}`, name: 'terminal_execute', args }
  })
  expect(timesOf(await recorded('tools', calls))).toEqual([13, 1, limits.modelRunMaxMs])
})

test('[LOOP11] a command that no shell could take is not run, and says why', async () => {
  const commands = ['a\0b', 'echo \ud800', 'x'.repeat(300_000)]
  const text = commands.map((command) => `<shell>${command}</shell>`).join('')
  expect(answers(await recorded('tags', [{ type: 'text', text }])).map(lastLine)).toEqual([
    '[not run: A command cannot contain a NUL character.]',
    '[not run: A command cannot contain half a character.]',
    '[not run: A command can have at most 262144 bytes.]',
  ])
})

const lastLine = (text: string) => text.split('\n').at(-1)
