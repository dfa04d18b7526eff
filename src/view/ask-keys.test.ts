import { expect, test } from 'vitest'
import { askAction } from './ask-keys.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false }
const shift = { ...plain, shiftKey: true }

test('[WEB78] Enter runs, but not what is hard to undo; that has a key of its own', () => {
  expect(askAction({ ...plain, key: 'Enter' }, 'changes')).toBe('run')
  expect(askAction({ ...plain, key: 'Enter' }, 'unknown')).toBe('run')
  expect(askAction({ ...shift, key: 'R' }, 'changes')).toBeNull()
  expect(askAction({ ...plain, key: 'Enter' }, 'destroys')).toBe('deny')
  expect(askAction({ ...plain, key: 'r' }, 'destroys')).toBeNull()
  expect(askAction({ ...shift, key: 'R' }, 'destroys')).toBe('run')
  expect(askAction({ ...plain, key: 'd' }, 'destroys')).toBe('deny')
})

test('[WEB78] a key that is held down, or pressed with another, answers nothing', () => {
  for (const held of ['repeat', 'ctrlKey', 'metaKey', 'altKey', 'shiftKey'])
    for (const key of ['Enter', 'd', 'e'])
      expect(askAction({ ...plain, [held]: true, key }, 'changes')).toBeNull()
})
