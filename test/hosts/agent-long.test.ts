import { expect, test } from 'vitest'
import { callAgent, keepsMessages } from '../http/agent-client.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const prompt = { role: 'user', content: 'go' } as const

const length = 1_000_001

test.each(['a', '語'])(
  '[HTTP70] a reply of a million characters comes whole: %s',
  async (letter) => {
    world.model.hush()
    world.model.say({ pieces: [letter.repeat(length)] })
    const lines = await callAgent(world.server, { messages: [prompt] })
    const text = lines.map((line) => (line.type === 'text' ? line.content : '')).join('')
    expect(text.length).toBe(length)
    expect(lines.filter(({ type }) => type === 'error')).toEqual([])
    expect(lines.at(-1)).toEqual({ type: 'done' })
    const messages = [prompt, ...keepsMessages(lines), prompt]
    const again = callAgent(world.server, { messages })
    if (letter === 'a') expect((await again).at(-1)).toEqual({ type: 'done' })
    else await expect(again).rejects.toThrow(/payload_too_large.*a body has at most \d+ bytes/)
  },
)
