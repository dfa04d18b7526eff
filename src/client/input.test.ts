import { expect, test } from 'vitest'
import type { Route } from '../protocol/http/route.ts'
import type { Input } from './wire/request.ts'
import { createInputHelp, ranBefore } from './input.ts'

/** Answers with the whole of what it was asked about. */
function askedWith() {
  const asked: { text?: string; cursor: number }[] = []
  const call = async (_route: Route, { query }: Input) => {
    const { text, cursor } = query as { text?: string; cursor: number }
    asked.push({ ...(text !== undefined && { text }), cursor })
    return { from: 0, to: text?.length ?? 0, items: [] }
  }
  return { asked, help: createInputHelp(call as never) }
}

test('[COMP1] of a text that no address holds, the part around the cursor is asked about', async () => {
  const { asked, help } = askedWith()
  await help.complete('session-1', { text: '', cursor: 0 })
  expect(asked).toEqual([{ cursor: 0 }])
  const prompt = `${'a'.repeat(9_000)}@b${'c'.repeat(9_000)}`
  const found = await help.complete('session-1', { text: prompt, cursor: 9_002 })
  const part = `…${prompt.slice(8_002, 10_002)}`
  expect(asked[1]).toEqual({ text: part, cursor: 1_001 })
  expect(part[1_000]).toBe('b')
  expect(found).toMatchObject({ from: 8_001, to: 8_001 + part.length })
  expect(await help.complete('session-1', { text: `!${prompt}`, cursor: 9_000 })).toEqual({
    from: 9_000,
    to: 9_000,
    items: [],
  })
  await help.complete('session-1', { text: `!ls ${prompt}`, cursor: 4 })
  expect(asked[2]?.cursor).toBe(4)
  expect(asked.length).toBe(3)
})

test('[COMP1] a command that ran before is offered as it is typed in the chat, also one that begins with a sign', async () => {
  const ran = ['ls', '! grep x', '?']
  const history = async () => ran.map((text, at) => ({ text, at }))
  const found = await ranBefore({ history }, { session: 'session-1' })
  expect(found).toEqual(['!ls', '! ! grep x', '! ?'])
})
