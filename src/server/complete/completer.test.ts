import { expect, test } from 'vitest'
import { ok } from '../../base/result.ts'
import { limits } from '../../protocol/limits.ts'
import { emptyWorld } from '../../session/catalogue.ts'
import { createCompleter } from './completer.ts'
import { createFileIndex, type FileIndex, nameList } from './file-index.ts'
import { listPaths, createPrograms } from './list-paths.ts'
import { rankFiles } from './complete-mention.ts'

const never: FileIndex = { names: () => new Promise(() => {}), touch() {} }

function completerWith(files: FileIndex) {
  return createCompleter({
    place: () => ({ workspace: '/w', cwd: null, shell: 'bash' }),
    env: {},
    world: async () => emptyWorld,
    // A provider that does not answer.
    models: () => new Promise(() => {}),
    tasks: async () => [],
    names: async () => null,
    past: async () => [],
    used: async () => new Map(),
    files,
    programs: createPrograms(),
    paths: listPaths,
  })
}

const slow = { text: '/model a', cursor: 8, as: 'auto' } as const
const quick = { text: '/model', cursor: 6, as: 'auto' } as const

test('[COMP24] a newer question of the same client ends the older one, and hanging up ends both', async () => {
  const { complete } = completerWith(never)
  const first = complete(slow, { client: 'web' })
  const other = complete(slow, { client: 'tui' })
  const second = await complete(quick, { client: 'web' })
  expect(second.items[0]?.label).toBe('/model')
  expect(await first).toEqual({ from: 7, to: 8, items: [], isPartial: true })
  const hangUp = new AbortController()
  const third = complete(slow, { client: 'tui', signal: hangUp.signal })
  expect(await other).toMatchObject({ isPartial: true })
  hangUp.abort()
  expect(await third).toMatchObject({ items: [], isPartial: true })
  const anonymous = complete(slow, { client: null, signal: hangUp.signal })
  expect(await anonymous).toMatchObject({ items: [], isPartial: true })
})

test('[COMP24] a workspace that takes long to list is answered for with what is known, and that it is not all', async () => {
  const found = await completerWith(never).complete(
    { text: '@a', cursor: 2, as: 'auto' },
    { client: 'web' },
  )
  expect(found).toEqual({ from: 0, to: 2, items: [], isPartial: true })
})

test('[COMP24] file names are kept; once they are old or something ran, they are listed anew while the old are given', async () => {
  let time = 0
  let listed: string[][] = []
  let files = ['a.ts', 'src/b.ts']
  const index = createFileIndex({
    now: () => time,
    async list() {
      listed.push(files)
      return ok({ files, isWhole: true })
    },
  })
  const known = ['a.ts', 'src/', 'src/b.ts']
  expect((await index.names('/w')).list.names.toSorted()).toEqual(known)
  files = ['c.ts']
  expect((await index.names('/w')).list.names.toSorted()).toEqual(known)
  expect(listed.length).toBe(1)
  index.touch('/w')
  expect((await index.names('/w')).list.names.toSorted()).toEqual(known)
  expect(listed.length).toBe(2)
  await new Promise(setImmediate)
  expect((await index.names('/w')).list.names).toEqual(['c.ts'])
  time += 10_000
  await index.names('/w')
  expect(listed.length).toBe(3)
  listed = []
  for (const folder of ['/1', '/2', '/3', '/4', '/w']) await index.names(folder)
  expect(listed.length).toBe(5)
})

test('[COMP4] of many names the likeliest come first: by name, by path, by letters, near and used before', async () => {
  const list = await nameList([
    'completely.md',
    'src/complete/rank.ts',
    'src/other/incomplete.ts',
    'c/o/m/p/l.ts',
    'one/twin.ts',
    'two/twin.ts',
    ...Array.from({ length: 5_000 }, (_, index) => `lib/a${index}.ts`),
  ])
  const rank = (text: string, near = '', recent: string[] = []) =>
    rankFiles(list, text, { near, recent, limit: 5 })
  expect(rank('complete')[0]).toBe('src/complete/')
  expect(rank('compl')).toContain('c/o/m/p/l.ts')
  expect(rank('srcrank')).toEqual(['src/complete/rank.ts'])
  expect(rank('twin')[0]).toBe('one/twin.ts')
  expect(rank('twin', 'two/')[0]).toBe('two/twin.ts')
  expect(rank('twin', 'two/', ['one/twin.ts'])[0]).toBe('one/twin.ts')
  expect(rank('a', '', ['lib/a4321.ts'])[0]).toBe('lib/a4321.ts')
  expect(rank('', '', ['lib/a7.ts']).slice(0, 3)).toEqual(['lib/a7.ts', 'completely.md', 'src/'])
  expect(rank('', 'src/')).toEqual(['src/complete/', 'src/other/'])
  expect(rank('zzz')).toEqual([])
})

test('[COMP24] no more names of a workspace are kept than the bound', async () => {
  const asked: number[] = []
  const index = createFileIndex({
    list: async (_, { limit }) => {
      asked.push(limit)
      return ok({ files: ['a'], isWhole: false })
    },
    now: () => 0,
  })
  expect(await index.names('/w')).toMatchObject({ isWhole: false })
  expect(asked).toEqual([limits.completedFiles])
})

test('[COMP2] no more is offered than one reads', async () => {
  const files = Array.from({ length: limits.completions + 10 }, (_, at) => `a${at}`)
  const list = await nameList(files)
  const index: FileIndex = { names: async () => ({ list, isWhole: true }), touch() {} }
  const found = await completerWith(index).complete(
    { text: '@a', cursor: 2, as: 'auto' },
    { client: 'web' },
  )
  expect(found.items).toHaveLength(limits.completions)
})
