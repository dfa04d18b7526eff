import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { caps } from './architecture/caps.ts'
import { readDocument } from './architecture/documents.ts'
import { root } from './architecture/root.ts'
import { filesOf } from './architecture/source-files.ts'

const Printed = z.object({
  totals: z.object({ files: z.number() }),
  rooms: z.array(z.object({ room: z.string() })),
  faults: z.record(z.string(), z.array(z.string())),
})
const printed = Printed.parse(
  JSON.parse(
    execFileSync(process.execPath, ['scripts/rooms.mjs', '--json'], {
      cwd: root,
      encoding: 'utf8',
    }),
  ),
)

test('[ARCH6] no room has more than 15 files, no file 250 lines, no function 80, no name comes twice', () => {
  const found = Object.entries(printed.faults).flatMap(([title, rows]) =>
    rows.map((row) => `${title}: ${row}`),
  )
  expect(found, 'npm run rooms prints this; split what is too large').toEqual([])
})

test('[ARCH6] ARCHITECTURE names every room, and no other', () => {
  const [, table = ''] = /## Rooms\n([\s\S]*?)\n## /.exec(readDocument('ARCHITECTURE.md')) ?? []
  const rows = table.split('\n').filter((line) => line.startsWith('| `') || line.startsWith('| …'))
  const named = rows.flatMap((row) =>
    [...row.matchAll(/`([a-z][\w/-]*)`/g)].map(([, name = '']) => name),
  )
  const rooms = printed.rooms.map(({ room }) => room.replace(/^src\/?/, '')).filter(Boolean)
  const endsAt = (room: string) => (name: string) => `/${room}`.endsWith(`/${name}`)
  const unnamed = rooms.filter((room) => !named.some(endsAt(room)))
  expect(unnamed, 'folders of src that the table "Rooms" in ARCHITECTURE.md lacks').toEqual([])
  const noRoom = named.filter((name) => !rooms.some((room) => `/${room}`.includes(`/${name}`)))
  expect(noRoom, 'ARCHITECTURE.md names these, and src has no such folder').toEqual([])
})

test('[ARCH6] comments begin with their subject, not with a relative clause', () => {
  const opening = /^\s*(?:\/\/|\/\*\*|\*) ?(?:What|Where|Of|Who|Whoever|Whose|One that) /
  const found = filesOf('src', /\.tsx?$/).flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (opening.test(line) ? [`${path}:${at + 1}`] : [])),
  )
  const hint = 'too many comments begin with What, Where, Of, Who …; begin yours with its subject'
  expect(found.length, `${hint}:\n${found.join('\n')}`).toBeLessThanOrEqual(10)
})

test('[ARCH6] every cap has a test that hits it', () => {
  const files = ['src', 'test'].flatMap((folder) => filesOf(folder, /\.test\.ts$/))
  const tests = new Map(files.map(({ path, text }) => [path, text]))
  const missing = caps.filter(
    ([, hit]) => typeof hit !== 'string' && !tests.get(hit[0])?.includes(`'${hit[1]}`),
  )
  expect(missing, 'tests that test/architecture/caps.ts names, and that are not there').toEqual([])
})
