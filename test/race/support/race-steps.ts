import fc from 'fast-check'
import type { RaceStep } from './race-world.ts'

/** Lines that change the shell, and one that does not. */
const lines = [
  'cd /usr',
  'cd /usr/bin',
  'cd /tmp',
  'alias ls=rm',
  'unalias ls',
  'export GIT_DIR=/tmp',
  'export GIT_DIR=/usr',
  'function pwd',
  'unset pwd',
  'ls',
  'bash',
  'exit',
  '',
  '\x03',
]
const replies = [
  'done',
  '<shell>ls</shell>',
  '<shell>pwd</shell>',
  '<shell>rm -rf x</shell>',
  '<shell>ls</shell><shell>pwd</shell><shell>make</shell>',
  '<shell>rm a</shell><shell>rm b</shell>',
  '<shell>cd /usr/bin</shell><shell>ls</shell>',
  '<shell>export GIT_DIR=/</shell><shell>rm c</shell>',
  '<shell>npm install x</shell>',
  '<shell>npm install x</shell><shell>npm install y</shell><shell>npm install x</shell>',
]
const modes = ['guarded', 'ask-all', 'trusted-session', 'refuse'] as const

const carry = (max: number): fc.Arbitrary<RaceStep> =>
  fc.record({
    type: fc.constant('carry' as const),
    link: fc.nat(5),
    times: fc.integer({ min: 1, max }),
  })

const keys: fc.Arbitrary<RaceStep> = fc.record({
  type: fc.constant('keys' as const),
  text: fc.constantFrom(...lines),
})

const answer: fc.Arbitrary<RaceStep> = fc.record(
  {
    type: fc.constant('answer' as const),
    pick: fc.constantFrom(0, 0, 0, 1),
    outcome: fc.constantFrom('allow' as const, 'allow' as const, 'allow' as const, 'deny' as const),
    client: fc.constantFrom('one', 'two'),
    command: fc.constantFrom('rm x', 'ls -la'),
    scope: fc.constantFrom('reply' as const, 'session' as const, 'folder' as const),
  },
  { requiredKeys: ['type', 'pick', 'outcome', 'client'] },
)

const reply: fc.Arbitrary<RaceStep> = fc.record({
  type: fc.constant('reply' as const),
  text: fc.constantFrom(...replies),
})

const step: fc.Arbitrary<RaceStep> = fc.oneof(
  { weight: 16, arbitrary: carry(4) },
  { weight: 6, arbitrary: carry(30) },
  { weight: 5, arbitrary: keys },
  { weight: 7, arbitrary: answer },
  { weight: 5, arbitrary: reply },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('run' as const), text: fc.constantFrom(...lines) }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<RaceStep>(
      { type: 'prompt' },
      { type: 'prompt' },
      { type: 'prompt' },
      { type: 'abort' },
      { type: 'withdraw', pick: 0 },
      { type: 'repeat' },
      { type: 'revoke', of: 'session' },
      { type: 'revoke', of: 'folder' },
      { type: 'wait' },
      { type: 'adopt' },
      { type: 'adopt' },
      { type: 'restart' },
      { type: 'kill-shell' },
      { type: 'crash', holderLives: true },
      { type: 'crash', holderLives: true },
      { type: 'crash', holderLives: false },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('mode' as const),
      approval: fc.constantFrom(...modes),
    }),
  },
)

/** Every history begins with a model that is asked for something, and a shell for its first command. */
const opening: readonly RaceStep[] = [
  { type: 'run', text: 'ls' },
  { type: 'carry', link: 0, times: 30 },
  { type: 'prompt' },
]

const settle: RaceStep = { type: 'settle' }
const install = '<shell>npm install x</shell>'
const yes = (scope: 'reply' | 'session' | 'folder'): RaceStep => ({
  type: 'answer',
  pick: 0,
  outcome: 'allow',
  client: 'one',
  scope,
})
/** A rule is made, and the model proposes again what it covers. */
const ruled = (scope: 'session' | 'folder'): readonly RaceStep[] => [
  settle,
  { type: 'reply', text: install },
  settle,
  yes(scope),
  settle,
  { type: 'reply', text: install },
]

/** Chance alone hardly ever comes to a standing yes: some histories begin there. */
const openings: readonly (readonly RaceStep[])[] = [
  ...Array.from({ length: 9 }, () => []),
  ruled('session'),
  ruled('folder'),
  // The rest of a reply is allowed with its first command.
  [
    settle,
    { type: 'reply', text: `${install}<shell>npm install y</shell><shell>npm install z</shell>` },
    settle,
    yes('reply'),
  ],
]

export const raceSteps: fc.Arbitrary<readonly RaceStep[]> = fc
  .tuple(
    fc.constantFrom(...openings),
    fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
  )
  .map(([begun, steps]) => [...opening, ...begun, ...steps])
