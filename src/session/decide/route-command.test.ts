import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInvisible } from '../../base/text.ts'
import type { Event } from '../../protocol/events/event.ts'
import { textOf } from '../../protocol/events/message.ts'
import type { SubmitAs } from '../../protocol/http/intent.ts'
import { limits } from '../../protocol/limits.ts'
import { catalogue, simulate } from '../../../test/support/simulate.ts'
import { decide, mentioningText } from './decide.ts'
import { repoAround } from './one-shot.ts'

const { state } = simulate()

function submit(text: string, as: SubmitAs = 'auto', world = catalogue, from = state) {
  const uuid = '00000000-0000-7000-8000-0000000000ff'
  return decide(
    from,
    { at: 1, uuid, by: { kind: 'user' }, body: { type: 'submit', text, as } },
    world,
  )
}

/** The person's words in the events of one input: a prompt, or a call with its raw text. */
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

test('[CMD1] whatever is typed becomes one thing, and none of it is lost', () =>
  fc.assert(
    fc.property(anyInput, fc.constantFrom('auto', 'run', 'text'), (text, as) => {
      const decision = submit(text, as)
      if (!decision.ok) return
      const things = said(decision.value.events)
      if (things.length === 0) {
        expect(isInvisible(text.replaceAll(/[!?\s]/g, ''))).toBe(true)
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
])('[CMD14] %j is refused, and says what to do', (text, code, message) => {
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
  '[CFILE5] a command file with a hundred times %j is refused when that is too much',
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

test('[AT6] a file that is mentioned twice is read once, as it was named first', () => {
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
])('[TYPE4] %j works in %s', (text, cwd, repo) => {
  const decision = submit(text)
  const events = decision.ok ? decision.value.events : []
  const [request, start] = events
  expect(events.map(({ type }) => type)).toEqual(['tool_request', 'run_start'])
  expect(request?.type === 'tool_request' && request.run).toMatchObject({ cwd, source: 'slash' })
  expect(request?.type === 'tool_request' && request.run?.repo).toBe(repo)
  expect(start?.type === 'run_start' && start).toMatchObject({ cwd, lane: 'background' })
})

test.each([
  ['/shell git status', '/back/src', 'back'],
  ['/shell --cwd src ls', '/back/src', 'back'],
  ['/shell --cwd lib ls', '/back/lib', 'back'],
  ['/shell --repo front ls', '/front', 'front'],
])('[TYPE4] in a session whose folder lies in a repo, %j works in %s', (text, cwd, repo) => {
  const decision = submit(text, 'auto', catalogue, { ...state, workspace: '/back/src' })
  const [request] = decision.ok ? decision.value.events : []
  expect(request?.type === 'tool_request' && request.run).toMatchObject({ cwd, repo })
})

test('[TYPE4] of repos in each other the innermost counts, and one whose name only begins alike does not', () => {
  const repos = ['/a', '/a/b', '/a/bc'].map((path) => ({
    name: path.slice(1).replace('/', '-'),
    path,
  }))
  expect(repoAround('/a/b/c', repos)?.name).toBe('a-b')
  expect(repoAround('/a/bcd', repos)?.name).toBe('a')
  expect(repoAround('/ab', repos)).toBe(undefined)
})

test('[CMD10] every command has a name of its own, and its usage shows it', async () => {
  const { commands } = await import('../commands/registry.ts')
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  expect(new Set(names).size).toBe(names.length)
  for (const { name, usage } of commands) expect(usage.split(' ')[0]).toBe(`/${name}`)
})
