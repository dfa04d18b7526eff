import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Completion } from '../../protocol/http/completion.ts'
import { compose } from './compose.ts'
import {
  composingOf,
  kindOf,
  type ComposerEffect,
  type ComposerEvent,
  type Composing,
  type Draft,
} from './composing.ts'
import type { ComposerKey } from './keys.ts'

const idle = { isBusy: false }
const busy = { isBusy: true }
const start = (draft: Partial<Draft> = {}) =>
  composingOf({ text: '', isPasted: false, mode: 'chat', ...draft })
const bash = (text = '') => start({ text, mode: 'bash' })

interface Ran {
  state: Composing
  effects: readonly ComposerEffect[]
}

function run(state: Composing, events: readonly ComposerEvent[], moment = idle): Ran {
  return events.reduce<Ran>(
    (before, event) => {
      const next = compose(before.state, event, moment)
      return { state: next.state, effects: [...before.effects, ...next.effects] }
    },
    { state, effects: [] },
  )
}

const typed = (text: string, cursor = text.length): ComposerEvent => ({
  type: 'typed',
  text,
  cursor,
})
const key = (name: ComposerKey, at = 0): ComposerEvent => ({
  type: 'key',
  key: name,
  from: at,
  to: at,
})
const submits = (effects: readonly ComposerEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'submit' ? [effect] : []))

const lines = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    'exit',
    ' quit ',
    '!ls',
    '!!x',
    '/help',
    '/bash',
    'ls -l',
    '/bin/ls',
    '@a',
    '\\!x',
  ),
)

test('[COMP40] a line means the same however its letters arrive', () =>
  fc.assert(
    fc.property(lines, fc.array(fc.nat(12)), fc.boolean(), (line, cuts, isBash) => {
      const from = isBash ? bash() : start()
      const steps = [...new Set(cuts)].filter((cut) => cut < line.length).sort((a, b) => a - b)
      const pieces = [...steps.map((cut) => line.slice(0, cut)), line]
      const whole = run(from, [typed(line), key('send')])
      const inParts = run(from, [...pieces.map((text) => typed(text)), key('send')])
      expect(submits(inParts.effects)).toEqual(submits(whole.effects))
      expect([inParts.state.text, inParts.state.mode]).toEqual([whole.state.text, whole.state.mode])
    }),
  ))

test('[COMP40] in bash mode every line runs, unless its exclamation mark says more', () =>
  fc.assert(
    fc.property(lines, (line) => {
      fc.pre(line.trim() !== '' && !/^\s*(exit|quit)\s*$/.test(line))
      const { state, effects } = run(bash(), [typed(line), key('send')])
      const as = line.trimStart().startsWith('!') ? 'auto' : 'run'
      expect(submits(effects)).toEqual([{ type: 'submit', text: line, as }])
      expect([state.mode, state.text]).toEqual(['bash', ''])
    }),
  ))

const keys = fc.constantFrom<ComposerKey>(
  'send',
  'newline',
  'accept',
  'next',
  'previous',
  'older',
  'newer',
  'search',
  'escape',
  'interrupt',
  'end',
)

test('[COMP40] only exit, quit, Ctrl+D, Esc and Ctrl+C on an empty line leave bash mode', () => {
  for (const leave of ['escape', 'interrupt', 'end'] as const)
    expect(run(bash(), [key(leave)]).state.mode).toBe('chat')
  for (const word of ['exit', ' quit\n'])
    expect(run(bash(word), [key('send')])).toMatchObject({ state: { mode: 'chat', text: '' } })
  // A run that is under way is stopped first.
  for (const stop of ['escape', 'interrupt'] as const)
    expect(run(bash(), [key(stop)], busy)).toMatchObject({
      state: { mode: 'bash' },
      effects: [{ type: 'stop' }],
    })
  fc.assert(
    fc.property(lines, keys, fc.boolean(), (line, name, isBusy) => {
      // Ctrl+D means the end only where nothing stands: `keys.ts` says so.
      fc.pre(line !== '' && name !== 'end' && !/^\s*(exit|quit)\s*$/.test(line))
      expect(run(bash(line), [key(name)], { isBusy }).state.mode).toBe('bash')
    }),
  )
})

const events: fc.Arbitrary<ComposerEvent> = fc.oneof(
  keys.map((name) => key(name)),
  lines.map((text): ComposerEvent => ({ type: 'handed-back', text, as: 'auto' })),
  lines.map((text): ComposerEvent => ({ type: 'handed-back', text, as: 'run' })),
  lines.map((text): ComposerEvent => ({ type: 'put', text, as: 'auto' })),
  lines.map((text): ComposerEvent => ({ type: 'said', text })),
  fc
    .array(lines, { maxLength: 3 })
    .map((inputs): ComposerEvent => ({ type: 'recalled', walk: 1, inputs })),
  fc.constantFrom<ComposerEvent>({ type: 'bash-toggled' }, { type: 'unpasted' }),
)

/** Whether a line is somewhere, and not lost. */
function holds({ state, effects }: Ran, line: string): boolean {
  const sent = effects.some((effect) => 'text' in effect && effect.text === line)
  const local = effects.some((effect) => effect.type === 'local')
  const { text, walk, cleared } = state
  return (
    sent ||
    local ||
    text.includes(line) ||
    walk?.draft === line ||
    cleared.chat === line ||
    cleared.shell === line
  )
}

test('[COMP40] nothing that was typed is lost by one thing that happens', () =>
  fc.assert(
    fc.property(lines, events, fc.boolean(), fc.boolean(), (line, event, isBash, isBusy) => {
      const isLeft = isBash && /^\s*(exit|quit)\s*$/.test(line)
      // `\` at the end is how one asks for a new line, and `/bash` does what it says.
      fc.pre(line.trim() !== '' && !isLeft && !/^\s*\/bash\b/.test(line))
      const before = run(isBash ? bash() : start(), [typed(line)])
      const after = run(before.state, [event], { isBusy })
      const isNewline = event.type === 'key' && event.key === 'newline'
      expect(isNewline || holds(after, line)).toBe(true)
    }),
    { numRuns: 2_000 },
  ))

test('[COMP44] a command that comes back is never joined to what is said, nor the other way round', () => {
  const back = (state: Composing, text: string, as: 'auto' | 'run') =>
    run(state, [{ type: 'handed-back', text, as }]).state
  expect(back(bash('rm -r'), 'say this', 'auto')).toMatchObject({ text: 'rm -r', mode: 'bash' })
  expect(back(bash('rm -r'), 'say this', 'auto').cleared.chat).toBe('say this')
  expect(back(start({ text: 'hello' }), 'rm -rf x', 'run')).toMatchObject({
    text: 'hello',
    mode: 'chat',
  })
  expect(back(start({ text: 'hello' }), 'again', 'auto').text).toBe('hello\nagain')
  expect(back(start(), 'rm -rf x', 'run')).toMatchObject({ text: 'rm -rf x', mode: 'bash' })
  const wanted = run(start({ text: 'hello' }), [{ type: 'taken-back', text: 'ls', as: 'run' }])
  expect(wanted.state).toMatchObject({ text: 'ls', mode: 'bash', cleared: { chat: 'hello' } })
})

test('[COMP44] a paste into an empty composer is a text, whatever it begins with, until it is changed', () => {
  const paste: ComposerEvent = { type: 'pasted', text: '!rm\r\nx', from: 0, to: 0 }
  const pasted = run(start(), [paste, typed('!rm\nx')]).state
  const sent = (state: Composing) => submits(run(state, [{ type: 'send' }]).effects)
  expect(sent(pasted)).toEqual([{ type: 'submit', text: '!rm\nx', as: 'text' }])
  expect(sent(run(pasted, [typed('!rm\nxy')]).state)).toMatchObject([{ as: 'auto' }])
  expect(sent(run(pasted, [{ type: 'unpasted' }]).state)).toMatchObject([{ as: 'auto' }])
  const refused: ComposerEvent = { type: 'taken-back', text: '!rm\nx', as: 'text' }
  expect(sent(run(start({ text: 'and' }), [refused]).state)).toMatchObject([{ as: 'text' }])
})

test('[COMP44] a paste that was cleared or had no room comes back as a text, also when another was sent since', () => {
  const step: ComposerEvent = { type: 'recalled', walk: 1, inputs: [] }
  const paste: ComposerEvent = { type: 'pasted', text: '!rm x', from: 0, to: 0 }
  const sent = run(start(), [paste, typed('!rm x'), key('interrupt'), typed('hi'), key('send')])
  const back = run(sent.state, [key('older'), step, { type: 'send' }])
  expect(submits(back.effects)).toEqual([{ type: 'submit', text: '\\!rm x', as: 'auto' }])
  const aside: ComposerEvent = { type: 'handed-back', text: '/clear', as: 'text' }
  const chat = run(bash('ls'), [aside, { type: 'bash-toggled' }, typed(''), key('older'), step])
  expect(chat.state).toMatchObject({ text: '\\/clear', mode: 'chat' })
})

test('[COMP46] steps through earlier inputs are taken in order, also when they are faster than the answer', () => {
  const fast = run(start(), [key('older'), key('older'), key('newer'), key('older')])
  expect(fast.effects).toEqual([{ type: 'recall', walk: 1, kind: 'chat', prefix: '' }])
  const answer: ComposerEvent = { type: 'recalled', walk: 1, inputs: ['two', 'one'] }
  const there = run(fast.state, [answer]).state
  expect(there.text).toBe('one')
  expect(run(there, [key('older'), key('newer'), key('newer'), key('newer')]).state.text).toBe('')
  // Typing was faster: the answer is too late.
  expect(run(fast.state, [typed('x'), answer]).state.text).toBe('x')
})

test('[COMP44] a cleared line is one step back in its own mode, and not in the other', () => {
  const cleared = run(bash('rm -r'), [key('interrupt')]).state
  expect([cleared.text, cleared.mode]).toEqual(['', 'bash'])
  const recalled: ComposerEvent = { type: 'recalled', walk: 1, inputs: [] }
  expect(run(cleared, [key('older'), recalled]).state.text).toBe('rm -r')
  const chat = run(cleared, [{ type: 'bash-toggled' }, key('older'), recalled]).state
  expect([chat.text, kindOf(chat)]).toEqual(['', 'chat'])
})

const found: Completion = {
  from: 0,
  to: 3,
  items: [
    { label: '/shell', insert: '/shell ', kind: 'command' },
    { label: '/status', insert: '/status', kind: 'command' },
  ],
}

test('[COMP46] Tab that is faster than the session takes what comes; an answer to another line counts for nothing', () => {
  const asked = { text: '/sh', cursor: 3, as: 'auto' } as const
  const hasty = run(start(), [typed('/sh'), key('accept')])
  expect(hasty.effects).toEqual([{ type: 'complete', asked }])
  expect(run(hasty.state, [{ type: 'completed', asked, found }]).state).toMatchObject({
    text: '/shell ',
    cursor: 7,
  })
  const other = { ...asked, text: '/st' }
  expect(run(hasty.state, [{ type: 'completed', asked: other, found }]).state.text).toBe('/sh')
  const listed = run(start(), [typed('/sh'), { type: 'completed', asked, found }]).state
  expect(run(listed, [key('next'), key('next'), key('accept')]).state.text).toBe('/status')
  // Esc is for the list, and not for what runs.
  const closed = run(listed, [key('escape')], busy)
  expect(closed.effects).toEqual([{ type: 'complete', asked: null }])
  expect(closed.state.offer.shown).toBe(null)
})

test('[COMP44] a command from elsewhere leaves the line alone, and a local one is the client’s', () => {
  const draft = start({ text: 'half a thought' })
  expect(run(draft, [{ type: 'said', text: '/status' }])).toMatchObject({
    state: { text: 'half a thought' },
    effects: [{ type: 'submit', text: '/status', as: 'auto' }],
  })
  expect(run(draft, [{ type: 'said', text: '/theme dark' }]).effects).toEqual([
    { type: 'local', name: 'theme', args: 'dark' },
  ])
  expect(run(draft, [{ type: 'said', text: '/bash' }]).state).toMatchObject({
    mode: 'bash',
    text: 'half a thought',
  })
})
