import { expect, test } from 'vitest'
import { expandHome } from './repo.ts'
import { readTaskId } from './task.ts'

test('[TASK1] a task is named as people write it, and anything else is not taken for one', () => {
  const id = (text: string) => {
    const read = readTaskId(text)
    return read.ok ? read.value : null
  }
  expect(['T0042', 't42', ' 42 ', 'T12345'].map(id)).toEqual(['T0042', 'T0042', 'T0042', 'T12345'])
  const wrong = ['', 'T', 'T0', '0', '-1', '4.2', 'T42x', 'task', '1e3', '9'.repeat(10)]
  expect(wrong.map(id)).toEqual(wrong.map(() => null))
})

test('[TEAM10] ~ is the person’s own folder at the beginning of a path, and nowhere else', () => {
  const home = expandHome('~')
  expect(['~/a', '~b', 'a/~'].map(expandHome)).toEqual([`${home}/a`, '~b', 'a/~'])
})
