import { expect, test } from 'vitest'
import { createLog } from '../../../test/client/logs.ts'
import { applyEvent } from '../fold/entries.ts'
import type { EntryList } from '../fold/entry-list.ts'
import { emptyView } from '../fold/view.ts'
import { replySegments } from './segments.ts'
import { newerRows, newestSeq, partSegments, rowsOf, rowsUntil, type Row } from './rows.ts'

/** The words that a person reads in a row: those of a part, or the command of a run. */
function shown(row: Row): string {
  if ('letter' in row) return row.letter.text
  const { entry, part } = row
  if (entry.kind === 'run') return `run ${entry.command}`
  if (entry.kind === 'call') return `call ${entry.args}`
  if (entry.kind !== 'reply') return entry.kind
  return (part ? partSegments(entry, part) : replySegments(entry))
    .map((segment) => (segment.kind === 'tag' ? `tag ${segment.body}` : segment.source.trim()))
    .join(' | ')
}

interface Turn {
  reply: string
  commands: readonly string[]
  /** The provider's id, of a native call. */
  callId?: string
}

function entriesOf({ reply, commands, callId }: Turn): EntryList {
  const log = createLog()
  log.start()
  const step = log.step(log.turn(log.prompt('go')))
  log.reply(step, reply)
  const run = { lane: 'terminal', source: 'model', timeoutMs: 0, private: false } as const
  for (const [index, command] of commands.entries())
    log.add({
      type: 'tool_request',
      meta: { isClientInitiated: false },
      name: 'terminal_execute',
      args: command,
      index,
      step,
      ...(callId !== undefined && { callId }),
      run: { ...run, command, thenTurn: false },
      by: { kind: 'model' },
    })
  return log.events().reduce(applyEvent, emptyView).entries
}

test('[WEB7] a run stands where its tag stood in the reply, and nothing is said twice', () => {
  const reply = 'One\n\n<shell>a</shell>\n\ntwo\n\n<shell>b</shell>\n<shell>c</shell>\n\nthree'
  const rows = rowsOf(entriesOf({ reply, commands: ['a', 'b'] }), [])
  expect(rows.map(shown)).toEqual(['prompt', 'One', 'run a', 'two', 'run b', 'tag c | three'])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  const [, ...later] = rowsOf(entriesOf({ reply: '<shell>a</shell> done', commands: ['a'] }), [])
  expect(later.map(shown)).toEqual(['run a', 'done'])
  // Whichever part comes first carries what there is once for a reply.
  expect(later.map((row) => 'entry' in row && row.part?.isFirst)).toEqual([undefined, true])
})

test('[VIEW16] thoughts stand before the first thing that the model did, also if it said no word', () => {
  const thoughts = { text: 'hm', ms: 1_000 }
  const thought = (turn: Turn): EntryList => ({
    ...entriesOf(turn),
    chunks: entriesOf(turn).chunks.map((chunk) =>
      chunk.map((entry) =>
        entry.kind === 'reply' && entry.reply.phase === 'settled'
          ? { ...entry, reply: { ...entry.reply, thoughts } }
          : entry,
      ),
    ),
  })
  const kinds = (entries: EntryList) =>
    rowsOf(entries, []).map((row) => ('entry' in row ? row.entry.kind : 'letter'))
  const reply = '<shell>a</shell> done'
  expect(kinds(thought({ reply, commands: ['a'] }))).toEqual(['prompt', 'reply', 'run', 'reply'])
  const native = { reply: '', commands: ['a'], callId: 'c1' }
  expect(kinds(thought(native))).toEqual(['prompt', 'reply', 'run'])
  expect(kinds(entriesOf(native))).toEqual(['prompt', 'run'])
})

test('[WEB7] the calls of a reply from before quotes and comments were left alone stand at their own tags', () => {
  const reply =
    'One\n\n> <shell>a</shell>\n\ntwo <!-- <shell>b</shell> -->\n\n<shell>c</shell>\n\nend'
  const rows = rowsOf(entriesOf({ reply, commands: ['a', 'b', 'c'] }), [])
  const read = ['prompt', 'One\n\n>', 'run a', 'two <!--', 'run b', '-->', 'run c', 'end']
  expect(rows.map(shown)).toEqual(read)
  const [, first, second] = rowsOf(entriesOf({ reply, commands: ['c'] }), []).map(shown)
  expect([first?.includes('<shell>b</shell> -->'), second]).toEqual([true, 'run c'])
})

test('[WEB7] a native call stands behind the words of its reply, whatever tags these have', () => {
  const turn = { reply: 'Look: <shell>x</shell>', commands: ['a'], callId: 'call-1' }
  const rows = rowsOf(entriesOf(turn), [])
  expect(rows.map(shown)).toEqual(['prompt', 'Look: | tag x', 'run a'])
})

test('[WEB7] what is new counts once, however many parts its reply is in', () => {
  const reply = 'One <shell>a</shell> two <shell>b</shell> three'
  const rows = rowsOf(entriesOf({ reply, commands: ['a', 'b'] }), [])
  const [prompt] = rows
  expect(newerRows(rows, prompt && 'entry' in prompt ? prompt.entry.seq : 0)).toBe(3)
  expect(newerRows(rows, newestSeq(rows))).toBe(0)
})

test('[TERMWEB2] at the end of a recording, and before it has one, the chat is as it is now', () => {
  const state = { phase: 'sending' } as const
  const letter = {
    key: 'k',
    session: 's',
    text: 'on its way',
    as: 'auto',
    at: 9_000,
    after: 0,
  } as const
  const rows = rowsOf(entriesOf({ reply: 'One', commands: [] }), [{ ...letter, state }])
  expect(rows.map(shown)).toEqual(['prompt', 'One', 'on its way'])
  for (const now of [null, Infinity]) expect(rowsUntil(rows, now)).toBe(rows)
  expect(rowsUntil(rows, 1_200).map(shown)).toEqual(['prompt'])
})
