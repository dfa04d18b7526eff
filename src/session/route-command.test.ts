import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../protocol/event.ts'
import { limits } from '../protocol/limits.ts'
import { textOf } from '../protocol/message.ts'
import { catalogue, simulate } from '../../test/support/simulate.ts'
import { decide } from './decide.ts'
import { mentioningText } from './find-typed.ts'

const { state } = simulate()

function submit(text: string, as: 'auto' | 'run' | 'text' = 'auto', world = catalogue) {
  const uuid = '00000000-0000-7000-8000-0000000000ff'
  return decide(
    state,
    { at: 1, uuid, by: { kind: 'user' }, body: { type: 'submit', text, as } },
    world,
  )
}

/** What a person said, in the events of one input: a prompt, or a call with its raw text. */
function said(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'input_queued') return [event.text]
    if (event.type === 'message' && event.role === 'user' && !event.synthetic)
      return [textOf(event.parts)]
    const isOwn = event.type === 'tool_request' && event.prompt === undefined
    return isOwn ? [event.args] : []
  })
}

const piece = fc.constantFrom(
  '/',
  '!',
  '\\',
  '?',
  ' ',
  '\n',
  '@a.ts',
  '@.env',
  'shell',
  'skill ',
  'tidy',
  'title',
  'model',
  '--repo back ',
  '--cwd',
  'x',
  '\0',
  '\u{1F5A5}',
)
const anyInput = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
)

test('[CMD16] whatever is typed becomes one thing, and none of it is lost', () =>
  fc.assert(
    fc.property(anyInput, fc.constantFrom('auto', 'run', 'text'), (text, as) => {
      const decision = submit(text, as)
      if (!decision.ok) return
      const things = said(decision.value.events)
      if (things.length === 0) {
        expect(text.replaceAll(/[!?\s]/g, '')).toBe('')
        return
      }
      expect(things).toHaveLength(1)
      const [thing = ''] = things
      const plain = text.trimStart().replace(/^\\(?=[/!])/, '')
      const isWish = /^\/(skill|tidy)\b/.test(text.trimStart())
      if (isWish) expect(text).toContain(thing)
      else expect([text, plain, text.trim()]).toContain(thing)
    }),
    { numRuns: 2_000 },
  ))

test.each([
  ['/shel ls', 'unknown_command', /Did you mean \/shell/],
  ['/tidi', 'unknown_command', /Did you mean \/tidy/],
  ['/git:lok', 'unknown_command', /Did you mean \/git:look/],
  ['/nothing-like-it', 'unknown_command', /no command \/nothing-like-it\. To say it to the model/],
  ['/help', 'local_command', /belongs to the screen/],
  ['/skill tidyy', 'unknown_skill', /Did you mean tidy/],
  ['/shell', 'bad_usage', /<command> is missing\. Usage: \/shell/],
  ['/shell --repo nowhere ls', 'unknown_repo', /There are: front, back\./],
  ['/shell --repo back --cwd /tmp ls', 'bad_usage', /not both/],
  ['/shell --timeout soon ls', 'bad_usage', /such as 90s or 5m, not "soon"/],
  ['/title', 'bad_usage', /Usage: \/title <text>/],
  ['/private maybe', 'bad_usage', /one of on, off/],
  ['/private off', 'nothing_to_change', /off already/],
  ['/stop', 'no_turn', /nothing to stop/],
  ['/approve', 'unknown_ask', /Nothing waits/],
  ['/deny', 'unknown_ask', /Nothing waits/],
  ['/assign T0001', 'bad_usage', /<name> is missing/],
  ['/compact', 'nothing_to_change', /nothing to sum up/],
])('[CMD17] %j is refused, and says what to do', (text, code, message) => {
  const decision = submit(text)
  expect(decision.ok).toBe(false)
  if (decision.ok) return
  expect(decision.error.code).toBe(code)
  expect(decision.error.message).toMatch(message)
})

test.each([
  ['!`pwd` ', '', 'queue_full'],
  ['$ARGUMENTS ', 'x'.repeat(50_000), 'too_large'],
])(
  '[CMD21] a command file with a hundred times %j is refused when that is too much',
  (part, args, code) => {
    const template = part.repeat(limits.waitingCalls + 1)
    const file = {
      name: 'flood',
      description: '',
      syntax: 'md',
      source: 'project',
      template,
    } as const
    const decision = submit(`/flood ${args}`, 'auto', { ...catalogue, files: [file] })
    expect(decision).toMatchObject({ ok: false, error: { code } })
    expect(mentioningText(`/flood ${args}`, { skills: [], files: [file] }).length).toBeLessThan(
      60_000,
    )
  },
)

test('[CMD22] a file that is mentioned twice is read once, as it was named first', () => {
  const there = { file: '/etc/hosts', kind: 'file', ask: 'a link' } as const
  const mentions = new Map([
    ['link', there],
    ['/etc/hosts', { ...there, ask: 'outside' }],
  ])
  const decision = submit('see @link and @/etc/hosts', 'auto', { ...catalogue, mentions })
  const events = decision.ok ? decision.value.events : []
  expect(events.filter(({ type }) => type === 'tool_request')).toMatchObject([
    { read: { path: 'link', file: '/etc/hosts' } },
  ])
  expect(events.at(-1)).toMatchObject({ type: 'elicitation_request', reasons: ['a link'] })
})

test.each([
  ['/shell git status', '/front', 'front'],
  ['/shell --repo back git log -5', '/back', 'back'],
  ['/shell --cwd /tmp ls', '/tmp', undefined],
  ['/shell --cwd sub/../src ls', '/front/src', 'front'],
  ['/shell --repo back --cwd src ls', '/back/src', 'back'],
])('[CMD18] %j works in %s', (text, cwd, repo) => {
  const decision = submit(text)
  const events = decision.ok ? decision.value.events : []
  const [request, start] = events
  expect(events.map(({ type }) => type)).toEqual(['tool_request', 'run_start'])
  expect(request?.type === 'tool_request' && request.run).toMatchObject({ cwd, source: 'slash' })
  expect(request?.type === 'tool_request' && request.run?.repo).toBe(repo)
  expect(start?.type === 'run_start' && start).toMatchObject({ cwd, lane: 'background' })
})

test('[CMD19] every command has a name of its own, and its usage shows it', async () => {
  const { commands } = await import('./commands/registry.ts')
  const names = commands.flatMap(({ name, aliases }) => [name, ...aliases])
  expect(new Set(names).size).toBe(names.length)
  for (const { name, usage } of commands) expect(usage.split(' ')[0]).toBe(`/${name}`)
})
