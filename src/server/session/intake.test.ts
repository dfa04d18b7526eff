import { expect, test } from 'vitest'
import { ok } from '../../base/result.ts'
import { initialState } from '../../log/state.ts'
import type { SubmitAs } from '../../protocol/http/intent.ts'
import { createIntake, createIntakeQueue } from './intake.ts'

/** The parts of the world that an input is looked at with, in a session that has begun or has not. */
async function lookedAt(text: string, as: SubmitAs, hasBegun = true): Promise<readonly string[]> {
  const looks: string[] = []
  const epoch = hasBegun ? begun : null
  const intake = createIntake({
    writer: {
      state: () => ({ ...initialState, epoch }),
      handle: async () => ok({ first: null, head: 0 }),
    },
    async lookAround() {
      looks.push('world')
      return () => undefined
    },
    async ptyAt() {
      looks.push('output')
      return 7
    },
    async secretAsked() {
      looks.push('secret')
      return null
    },
    isTaken: async () => false,
    queue: createIntakeQueue(),
  })
  await intake.handle({ type: 'submit', text, as }, { kind: 'user' })
  return looks
}

const begun = {
  seq: 1,
  model: 'test/model',
  adapter: 'openai-chat',
  dialect: 'tags',
} as const

test.each([
  ['!see @a.ts', 'text', ['secret', 'world']],
  ['!see @a.ts', 'auto', ['secret']],
  ['/status', 'text', ['secret']],
  ['/status', 'run', ['secret']],
  ['/status', 'auto', ['world']],
  ['/private on', 'auto', ['output', 'world']],
  ['/private on', 'text', ['secret']],
  ['/privately @x', 'auto', ['secret', 'world']],
  ['# nothing', 'run', ['secret']],
] as const)(
  '[TYPE1] the world is asked for what an input is, not for what it looks like: %s as %s',
  async (text, as, looks) => {
    expect(await lookedAt(text, as)).toEqual(looks)
  },
)

test('[TYPE1] a first command for the shell waits for the world only if a turn follows it', async () => {
  expect(await lookedAt('!ls', 'auto', false)).toEqual(['secret'])
  expect(await lookedAt('!?ls', 'auto', false)).toEqual(['secret', 'world'])
  expect(await lookedAt('!?ls', 'text', false)).toEqual(['secret', 'world'])
})
