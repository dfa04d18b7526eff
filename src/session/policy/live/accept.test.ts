import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainShell } from '../../../../test/support/plain-shell.ts'
import type { ShellSetting } from '../../../protocol/events/shell.ts'
import type { Facts } from '../facts.ts'
import { judge } from '../verdict.ts'
import { withSettings } from './accept.ts'
import { drift } from './drift.ts'
import type { LiveState } from './live-state.ts'

const { baseline } = plainShell()
const path = (...folders: readonly string[]) => ({
  path: [...folders, '/usr/bin'].map((folder) => ({
    folder,
    physical: folder.startsWith('/') ? folder : null,
  })),
})
const set = (name: string, value: string) => ({
  variables: new Map([[name, { isExported: true, value }]]),
})
const on = (...options: readonly string[]) => ({
  options: new Set([...baseline.options, ...options]),
})
const off = (option: string) => ({
  options: new Set([...baseline.options].filter((each) => each !== option)),
})

function verdict(command: string, changes: Partial<LiveState>, facts: Partial<Facts> = {}) {
  return judge(command, {
    approval: 'guarded',
    workspace: '/shop',
    cwd: '/shop',
    shell: 'bash',
    home: '/home/me',
    isTrusted: true,
    live: plainShell(changes),
    files: new Map(),
    ...facts,
  })
}

test.each([
  [path('/home/me/bin'), 'PATH begins with /home/me/bin now'],
  [path('/a/bin', '/b/bin'), 'PATH begins with /a/bin, and has /b/bin, now'],
  [path('/shop/.venv/bin'), 'PATH begins with /shop/.venv/bin now'],
  [path('/shop/node_modules/.bin'), 'PATH begins with /shop/node_modules/.bin now'],
  [set('EDITOR', 'vim'), 'EDITOR is `vim` now'],
  [set('PAGER', 'less -R'), 'PAGER is `less -R` now'],
  [on('globstar'), 'the option globstar is on now'],
  [on('noclobber'), 'the option noclobber is on now'],
  [off('hashall'), 'the option hashall is off now'],
])('[APP71] a person can take %j as it is', (changes, words) => {
  const { decision, reasons, settings } = verdict('ls', changes)
  expect(decision).toBe('ask')
  expect(reasons).toEqual([words])
  expect(settings?.map((setting) => setting.words)).toEqual([words])
})

interface Case {
  it: string
  changes: Partial<LiveState>
  facts?: Partial<Facts>
}

const never: readonly Case[] = [
  { it: 'a relative folder', changes: path('bin') },
  { it: 'the current folder', changes: path('') },
  { it: 'a folder of the workspace that the model may write', changes: path('/shop/bin') },
  {
    it: 'a folder of a workspace that nobody trusts',
    changes: path('/shop/.venv/bin'),
    facts: { isTrusted: false },
  },
  { it: 'a value that a shell would run', changes: set('EDITOR', 'vim; rm x') },
  { it: 'a value with quotes', changes: set('PAGER', "sh -c 'rm x'") },
  { it: 'a value of which only a hash is known', changes: set('EDITOR', 'x'.repeat(43)) },
  { it: 'a library', changes: set('LD_PRELOAD', '/x.so') },
  { it: 'options of node', changes: set('NODE_OPTIONS', 'hash') },
  { it: 'what git runs', changes: set('GIT_SSH_COMMAND', 'hash') },
  { it: 'another home', changes: set('HOME', '/elsewhere') },
  { it: 'how words are split', changes: set('IFS', '/') },
  { it: 'a trap', changes: { traps: { text: 'trap -- x DEBUG', names: new Set(['DEBUG']) } } },
  { it: 'a hook', changes: { hooks: new Map([['precmd', 'rm x']]) } },
  { it: 'a variable that runs', changes: set('PROMPT_COMMAND', 'hash') },
  { it: 'a function that hides the program', changes: { functions: new Set(['ls']) } },
  { it: 'an alias that hides it', changes: { aliases: new Map([['ls', 'rm']]) } },
  { it: 'an alias for a word anywhere', changes: { globalAliases: new Map([['G', 'rm']]) } },
  { it: 'an exported function', changes: { exportedFunctions: new Set(['x']) } },
  { it: 'a built-in that is off', changes: { disabled: new Set(['ls']) } },
  { it: 'a remembered place', changes: { hashes: new Map([['ls', '/x/ls']]) } },
  { it: 'an option nobody knows', changes: on('extdebug') },
  { it: 'output that goes elsewhere', changes: on('redirected') },
  {
    it: 'that a person is asked always',
    changes: set('EDITOR', 'vim'),
    facts: { approval: 'ask-all' },
  },
]

test.each(never)(
  '[APP71] $it is never taken as it is, nor anything with it',
  ({ changes, facts }) => {
    const { decision, settings } = verdict('ls', changes, facts)
    expect([decision, settings]).toEqual(['ask', undefined])
    const together = { ...on('globstar'), ...changes }
    expect(verdict('ls', together, facts).settings).toBeUndefined()
  },
)

test('[APP71] a command that asks for anything else does not offer it', () => {
  expect(verdict('rm x', set('EDITOR', 'vim')).settings).toBeUndefined()
  expect(verdict('ls **', on('globstar')).settings).toBeUndefined()
})

const states = fc.record({
  path: fc.uniqueArray(fc.constantFrom('/a', '/b', '/c/bin', '/usr/bin', '/shop/.venv/bin'), {
    minLength: 1,
  }),
  variables: fc.dictionary(
    fc.constantFrom('EDITOR', 'PAGER', 'LD_PRELOAD', 'HOME', 'VISUAL'),
    fc.constantFrom('vim', 'less', 'nano -w', 'sh -c "x"'),
  ),
  options: fc.uniqueArray(
    fc.constantFrom('globstar', 'dotglob', 'extdebug', 'noclobber', 'hashall', 'expand_aliases'),
  ),
})

const stateOf = ({
  path: folders,
  variables,
  options,
}: typeof states extends fc.Arbitrary<infer S> ? S : never): LiveState => ({
  ...baseline,
  path: folders.map((folder) => ({ folder, physical: folder })),
  variables: new Map(
    Object.entries(variables).map(([name, value]) => [name, { isExported: true, value }]),
  ),
  options: new Set(options),
})

test('[APP71] what was taken asks no more, what changes after it asks and is all that is named, and nothing else was taken', () => {
  fc.assert(
    fc.property(states, states, (one, other) => {
      const [now, later] = [stateOf(one), stateOf(other)]
      const drifted = drift(baseline, now)
      const taken = drifted.flatMap(({ setting }): readonly ShellSetting[] =>
        setting === undefined ? [] : [setting],
      )
      const base = withSettings(baseline, taken)
      const left = drift(base, now).map(({ sentence }) => sentence)
      const expected = drifted.filter(({ setting }) => setting === undefined)
      expect(left).toEqual(expected.map(({ sentence }) => sentence))
      // A later state names only settings that are not the taken ones.
      const kept = new Set(drift(now, later).map(({ sentence }) => sentence))
      for (const { sentence, setting } of drift(base, later))
        if (setting !== undefined) expect(kept).toContain(sentence)
    }),
  )
})
