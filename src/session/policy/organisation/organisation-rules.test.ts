import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainFacts, plainShell } from '../../../../test/support/plain-shell.ts'
import { Organisation } from '../../../protocol/organisation.ts'
import type { Facts } from '../facts.ts'
import { judge } from '../verdict.ts'
import { callsIn } from './calls-in.ts'

const organisation = Organisation.parse({
  maxMode: { mode: 'guarded', reason: 'we read what is written' },
  deny: [
    { program: 'curl', reason: 'use the mirror' },
    { program: 'git', words: ['push'], contains: ['--force*'], reason: 'history is kept' },
    { program: 'wc', words: ['-l', '*.secret'], reason: 'counted elsewhere' },
  ],
  ask: [{ program: 'ls', words: ['vault*'], reason: 'it is watched' }],
})
const facts: Facts = { ...plainFacts, organisation }
const decide = (command: string, more: Partial<Facts> = {}) =>
  judge(command, { ...facts, ...more }).decision

test('[APP73] what an organisation forbids is denied with its reason, also what would run unasked', () => {
  expect(judge('curl example.org', facts)).toMatchObject({
    decision: 'deny',
    reasons: ['the rules of your organisation forbid it: use the mirror'],
  })
  expect(decide('wc -l a.secret')).toBe('deny')
  expect(decide('wc -l a.public', { organisation: null })).toBe(decide('wc -l a.public'))
  for (const denied of [
    'git push --force',
    'git -C x push --force-with-lease',
    'git push -u --force x',
  ])
    expect([denied, decide(denied)]).toEqual([denied, 'deny'])
  for (const asked of ['git push', 'git commit -F --force push', 'grep curl x', 'echo "curl x"'])
    expect([asked, decide(asked)]).not.toEqual([asked, 'deny'])
})

test('[APP73] what it wants to be asked for asks, with its reason, and no mode is wider than it allows', () => {
  const files = new Map([['/project/vault1', { real: '/project/vault1', kind: 'none' as const }]])
  expect(judge('ls vault1', { ...facts, files })).toMatchObject({
    decision: 'ask',
    grade: 'reads',
    reasons: ['the rules of your organisation ask for it: it is watched'],
  })
  const write = 'echo x > new'
  const at = new Map([
    ['/project/new', { real: '/project/new', kind: 'none' as const }],
    ['/project', { real: '/project', kind: 'folder' as const }],
  ])
  const trusting = { approval: 'trusted-session', files: at } as const
  expect(decide(write, { ...trusting, organisation: null })).toBe('allow')
  expect(decide(write, trusting)).toBe('ask')
})

/** Each still runs `curl x`. */
const around: readonly ((command: string) => string)[] = [
  (command) => `ls; ${command}`,
  (command) => `true && (${command})`,
  (command) => `echo "$(${command})"`,
  (command) => `echo \`${command.replaceAll(/[`\\]/g, String.raw`\$&`)}\``,
  (command) => `cat <(${command})`,
  (command) => `cat <<EOF\n$(${command})\nEOF`,
  (command) => `if true; then ${command}; fi`,
  (command) => `f() { ${command}; }; f`,
  (command) => `while true; do ${command}; done`,
  (command) => `sudo -u root timeout 5 env A=b ${command}`,
  (command) => `bash -c '${command.replaceAll("'", `'\\''`)}'`,
  (command) => `eval '${command.replaceAll("'", `'\\''`)}'`,
  (command) => `${command} &`,
  (command) => `${'true; '.repeat(300)}${command}`,
  (command) => `echo ${'x'.repeat(70_000)}; ${command}`,
  (command) => `echo${' '.repeat(100)}x; ${command}`,
  (command) => `[[ -n $(${command}) ]]`,
  (command) => `echo $((1)); ${command}`,
]
const spellings = [
  'curl x',
  '/usr/bin/curl x',
  "c'ur'l x",
  '\\curl x',
  'command curl x',
  'xargs curl x',
]

test('[APP73] ∀ what is forbidden stays so in whatever it is wrapped, in every mode and shell', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...spellings),
      fc.array(fc.constantFrom(...around), { maxLength: 3 }),
      fc.record({
        approval: fc.constantFrom('ask-all', 'guarded', 'trusted-session', 'refuse'),
        shell: fc.constantFrom('bash', 'zsh', 'fish', null),
        cwd: fc.constantFrom('/project', '/', null),
        isTrusted: fc.boolean(),
      }),
      (spelling, wraps, more) => {
        const command = wraps.reduce((inner, wrap) => wrap(inner), spelling)
        const { decision, reasons } = judge(command, { ...facts, ...more })
        expect([command.slice(0, 200), decision]).toEqual([command.slice(0, 200), 'deny'])
        expect(reasons.join()).toContain('use the mirror')
      },
    ),
    { numRuns: 300 },
  ))

test('[APP73] an alias is what it stands for', () => {
  const aliases = new Map([
    ['fetch', 'curl -s'],
    ['g', 'git'],
  ])
  const live = plainShell({ aliases })
  expect(decide('fetch x', { live })).toBe('deny')
  expect(decide('g push --force', { live })).toBe('deny')
})

test('[APP73] no text makes the reader of calls throw', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(callsIn(text).isWhole).toBe(true)
    }),
  ))

test('[APP73] a command with more texts in it than are read is forbidden, for its rest may be', () => {
  const scripts = (count: number) =>
    Array.from({ length: count }, (_, at) => `bash -c 'echo ${at}'`)
  const many = scripts(250).join('; ')
  expect(judge(`${many}; bash -c 'curl x'; ${many}`, facts)).toMatchObject({
    decision: 'deny',
    reasons: ['the rules of your organisation forbid it: it cannot be read whole'],
  })
  expect(decide(scripts(50).join('; '))).toBe('allow')
  expect(decide('many', { live: plainShell({ aliases: new Map([['many', many]]) }) })).toBe('deny')
})
