import { expect, test } from 'vitest'
import { sources } from '../architecture/source-files.ts'

test('[CLIENT41] page, command line and hooks have no request of their own: the client has all of them', () => {
  const uis = sources().filter(({ path }) => /^src\/(web|cli|react)\//.test(path))
  expect(uis.length).toBeGreaterThan(100)
  const own = /\bcall\(\w*[rR]outes\.|\.(?:call|document|bytes)\(\w*[rR]outes\./
  expect(uis.filter(({ text }) => own.test(text)).map(({ path }) => path)).toEqual([])
})
