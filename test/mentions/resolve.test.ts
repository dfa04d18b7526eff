import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { resolveMentions } from '../../src/server/mentions/resolve.ts'
import { useTempFolder } from '../store/temp-folder.ts'

const folder = useTempFolder()
let place = { workspace: '', home: '' }
let count = 0

beforeEach(() => {
  const root = join(realpathSync(folder()), `case-${count++}`)
  place = { workspace: join(root, 'ws'), home: join(root, 'home') }
  for (const path of ['ws/src', 'ws/.ssh', 'ws-evil', 'home/.ssh'])
    mkdirSync(join(root, path), { recursive: true })
  for (const path of ['ws/a.ts', 'ws/src/a b.ts', 'ws/.env', 'ws/README', 'ws/.ssh/config'])
    writeFileSync(join(root, path), 'x')
  for (const path of ['ws-evil/a.ts', 'home/notes', 'home/.ssh/id_rsa'])
    writeFileSync(join(root, path), 'x')
})

const find = async (text: string) => Object.fromEntries(await resolveMentions(text, place))
const at = (path: string) => join(place.workspace, path)

test('[AT10] files and folders of the workspace are found by the path as typed, and read without asking', async () => {
  expect(await find('@a.ts, @"src/a b.ts":3 @./src/ @src/../README')).toEqual({
    'a.ts': { file: at('a.ts'), kind: 'file', ask: null },
    'src/a b.ts': { file: at('src/a b.ts'), kind: 'file', ask: null },
    './src/': { file: at('src'), kind: 'folder', ask: null },
    'src/../README': { file: at('README'), kind: 'file', ask: null },
  })
  const absolute = at('a.ts')
  expect(await find(`@${absolute}`)).toMatchObject({ [absolute]: { ask: null } })
})

test('[AT1] what is not there, or is written otherwise, names nothing', async () => {
  expect(await find('@nope @A.TS @a.ts/ @a.ts/b joe@a.ts `@a.ts` @ @"" @"\0" @~ @~joe/x')).toEqual(
    {},
  )
  expect(await find(`@${'x'.repeat(5_000)} @${'x/'.repeat(2_000)}`)).toEqual({})
  expect(await resolveMentions('@a.ts', { ...place, workspace: at('gone') })).toEqual(new Map())
})

test('[AT1] a folder is meant by its slash, since many things are called like one', async () => {
  expect(await find('@src is a decorator, @. and @.. are nothing')).toEqual({})
  expect(Object.keys(await find('@src/'))).toEqual(['src/'])
})

test('[AT10] what lies outside the workspace is asked for, by parts of its path', async () => {
  const evil = join(place.workspace, '../ws-evil/a.ts')
  const found = await find(`@../ws-evil/a.ts @${evil} @~/notes`)
  expect(Object.values(found).map(({ file }) => file)).toEqual([
    evil,
    evil,
    join(place.home, 'notes'),
  ])
  for (const { ask } of Object.values(found)) expect(ask).toContain('outside the workspace')
  expect(found['~/notes']?.ask).toContain(join(place.home, 'notes'))
})

test('[AT10] a link that leads out is asked for with where it leads, one that stays inside is not', async () => {
  symlinkSync(join(place.home, 'notes'), at('out'))
  symlinkSync(place.home, at('outer'))
  symlinkSync('a.ts', at('in'))
  const found = await find('@out @outer/notes @in')
  for (const path of ['out', 'outer/notes'])
    expect(found[path]).toEqual({
      file: join(place.home, 'notes'),
      kind: 'file',
      ask: `The model would read ${join(place.home, 'notes')}: a link leads there, out of the workspace.`,
    })
  expect(found['in']).toEqual({ file: at('a.ts'), kind: 'file', ask: null })
})

test('[AT10] a workspace that is a link itself is still the workspace', async () => {
  const linked = join(place.home, 'linked')
  symlinkSync(place.workspace, linked)
  const found = await resolveMentions('@a.ts', { ...place, workspace: linked })
  expect(found.get('a.ts')).toEqual({ file: at('a.ts'), kind: 'file', ask: null })
})

test('[AT10] a secret is asked for, by its own name, its folder’s, or that of what a link leads to', async () => {
  symlinkSync('.env', at('harmless.txt'))
  symlinkSync('a.ts', at('server.key'))
  const found = await find('@.env @.ssh/config @.ssh/ @harmless.txt @server.key')
  expect(Object.keys(found)).toHaveLength(5)
  for (const { ask } of Object.values(found)) expect(ask).toContain('may hold secrets')
  expect((await find('@~/.ssh/id_rsa'))['~/.ssh/id_rsa']?.ask).toMatch(/outside.*, and .*secrets/)
})

test('[AT10] a pipe, a socket, a device and what the kernel makes up are no mentions, and nothing waits', async () => {
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('pipe', at('to-pipe'))
  symlinkSync('loop', at('loop'))
  symlinkSync('/dev/zero', at('zero'))
  symlinkSync('/proc/self/environ', at('environ'))
  const server = createServer().listen(at('socket'))
  expect(
    await find(
      '@pipe @to-pipe @loop @zero @environ @socket @/dev/null @/proc/self/environ @/proc/',
    ),
  ).toEqual({})
  server.close()
})

test('[AT6] a text of a thousand candidates costs a bounded number of looks', async () => {
  const many = Array.from({ length: 150 }, (_, index) => `@f${index}`)
  for (const name of many) writeFileSync(at(name.slice(1)), '')
  expect(Object.keys(await find(many.join(' ')))).toHaveLength(50)
  expect(await find('(@x.y.z) '.repeat(100_000))).toEqual({})
})
