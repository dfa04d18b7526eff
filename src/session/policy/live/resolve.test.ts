import { expect, test } from 'vitest'
import { plainShell } from '../../../../test/support/plain-shell.ts'
import { drift } from './drift.ts'
import { fingerprint } from './fingerprint.ts'
import type { LiveState } from './live-state.ts'
import { resolve } from './resolve.ts'

const folders = (...all: readonly string[]) =>
  all.map((folder) => ({ folder, physical: folder.startsWith('/') ? folder : null }))

const { state: plain } = plainShell({
  cwd: '/project',
  path: folders('/usr/bin', '/bin'),
  options: new Set(['expand_aliases']),
  builtins: new Set(['echo', 'cd']),
  asked: new Set(['ls', 'echo', 'grep', 'rm', 'gone']),
  found: new Map([
    ['ls', '/usr/bin/ls'],
    ['grep', '/usr/bin/grep'],
    ['echo', '/usr/bin/echo'],
    ['rm', '/usr/bin/rm'],
  ]),
})

const means = (change: Partial<LiveState>, name = 'ls', baseline = plain) =>
  resolve({ state: { ...plain, ...change }, baseline, workspace: '/project' }, name)
const why = (change: Partial<LiveState>, name = 'ls') => {
  const meaning = means(change, name)
  return meaning.is === 'odd' ? meaning.why : meaning
}

test('[APP60] a name is a built-in, or a program in a folder that PATH had at the start, outside the workspace', () => {
  expect(means({})).toEqual({ is: 'program', path: '/usr/bin/ls' })
  expect(means({}, 'echo')).toEqual({ is: 'builtin' })
  expect(means({ disabled: new Set(['echo']) }, 'echo')).toEqual({
    is: 'program',
    path: '/usr/bin/echo',
  })
  expect(means({ hashes: new Map([['ls', '/usr/bin/ls']]) })).toEqual({
    is: 'program',
    path: '/usr/bin/ls',
  })
  const at = (folder: string) => ({
    path: folders(folder),
    found: new Map([['ls', `${folder || '.'}/ls`]]),
  })
  expect(why(at('/opt/bin'))).toMatch('not in PATH at the start')
  expect(why(at(''))).toMatch('depends on where the shell is')
  expect(why(at('bin'))).toMatch('depends on where the shell is')
  expect(why(at('/project/bin'))).toMatch('workspace')
  expect(means(at('/project-evil'), 'ls', { ...plain, path: folders('/project-evil') }).is).toBe(
    'program',
  )
  expect(why({ path: [{ folder: '/usr/bin', physical: '/project/bin' }] })).toMatch('workspace')
  expect(why({ hashes: new Map([['ls', '/usr/bin/rm']]) })).toMatch('/usr/bin/rm')
  expect(why({ functions: new Set(['ls']) })).toBe('`ls` is a function')
  expect(why({ builtins: new Set(['ls']) })).toMatch('built-in that the shell did not have')
  expect(why({}, 'gone')).toMatch('no program')
  expect(why({ asked: new Set() })).toMatch('nobody asked')
})

test.each([
  ['ls', 'ls --color=auto', 'alias'],
  ['ls', 'ls -lh --group-directories-first', 'odd'],
  ['ls', 'ls -l -h', 'alias'],
  ['ls', 'ls --color=auto ', 'odd'],
  ['ls', 'ls;rm', 'odd'],
  ['ls', 'ls $(rm)', 'odd'],
  ['ls', 'ls\n-l', 'odd'],
  ['ls', 'ls  -l', 'odd'],
  ['ls', '\\ls', 'odd'],
  ['ls', 'rm', 'odd'],
  ['ls', '', 'odd'],
  ['grep', 'grep --color=auto', 'alias'],
  ['grep', 'grep -f', 'odd'],
  ['rm', 'rm -i', 'odd'],
])(
  '[APP60] an alias counts as its program only with flags that change its looks: %s=%j is %s',
  (name, body, is) => {
    const aliases = new Map([[name, body]])
    expect(means({ aliases }, name).is).toBe(is)
    expect(means({ aliases, functions: new Set([name]) }, name).is).toBe('odd')
    expect(means({ aliases, options: new Set() }, name).is).toBe('program')
  },
)

test('[APP60] the same state has no drift and one fingerprint, which an ordinary command does not change', () => {
  const hash = (text: string) => text
  const of = (change: Partial<LiveState>) =>
    fingerprint({ ...plain, ...change }, { names: ['ls'], hash })
  expect(drift(plain, { ...plain })).toEqual([])
  const ran = {
    hashes: new Map([
      ['cat', '/bin/cat'],
      ['ls', '/usr/bin/ls'],
    ]),
    functions: new Set(['_git']),
  }
  expect(drift(plain, { ...plain, ...ran })).toEqual([])
  expect(of(ran)).toBe(of({}))
  const changes: readonly Partial<LiveState>[] = [
    { cwd: '/' },
    { path: folders('/bin', '/usr/bin') },
    { options: new Set() },
    { aliases: new Map([['x', 'y']]) },
    { globalAliases: new Map([['x', 'y']]) },
    { suffixAliases: new Map([['x', 'y']]) },
    { functions: new Set(['x']) },
    { exportedFunctions: new Set(['x']) },
    { hashes: new Map([['cat', '/opt/cat']]) },
    { builtins: new Set(['echo']) },
    { disabled: new Set(['echo']) },
    { traps: { text: "trap -- ':' DEBUG\n", names: new Set(['DEBUG']) } },
    { hooks: new Map([['x', 'y']]) },
    { variables: new Map([['PAGER', { isExported: true, value: 'x' }]]) },
    { environment: 'x' },
    { found: new Map([['ls', '/bin/ls']]) },
  ]
  expect(changes.filter((change) => of(change) === of({}))).toEqual([])
  expect(new Set(changes.map(of)).size).toBe(changes.length)
})
