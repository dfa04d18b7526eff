import { expect, test } from 'vitest'
import { actionsOf, pressedAction } from './actions.ts'
import { emptyView, type View } from './fold/view.ts'

const press = (keys: string) => {
  const parts = keys.split('+')
  const key = parts.pop() ?? ''
  return {
    key: key.toLowerCase(),
    code: `Key${key}`,
    ctrlKey: parts.includes('Ctrl'),
    altKey: parts.includes('Alt'),
    shiftKey: false,
    metaKey: false,
  }
}
const busy: View = {
  ...emptyView,
  state: {
    ...emptyView.state,
    turn: { seq: 1, purpose: null, trigger: 1, steps: 0, usage: emptyUsage(), usd: 0 },
  },
}
function emptyUsage() {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
}
const done = (view: View, keys: string, isTyping = false) =>
  pressedAction(actionsOf(view), press(keys), { isTyping })?.id ?? null

test('[VIEW23] a key does what it says only while something would come of it', () => {
  expect(done(busy, 'Alt+S')).toBe('stop')
  expect([done(emptyView, 'Alt+S'), done(emptyView, 'Alt+A')]).toEqual([null, null])
  expect([done(emptyView, 'Ctrl+K'), done(emptyView, 'Ctrl+K', true)]).toEqual([
    'palette',
    'palette',
  ])
  expect([done(emptyView, '/'), done(emptyView, '/', true)]).toEqual(['write', null])
})

test('[VIEW23] every action has a key of its own or none', () => {
  const keys = actionsOf(emptyView).flatMap(({ keys: own }) => (own === undefined ? [] : [own]))
  expect(new Set(keys).size).toBe(keys.length)
})

test('[VIEW23] a key is the letter that it writes; its place counts only where it writes no letter of ours', () => {
  const pressed = (keys: string, code: string, key: string) =>
    pressedAction(actionsOf(emptyView), { ...press(keys), code, key }, { isTyping: false })?.id
  expect(pressed('Ctrl+K', 'KeyK', 'л')).toBe('palette')
  expect(pressed('Alt+N', 'KeyN', 'Dead')).toBe('new')
  // Dvorak writes x with the key of B, and b with that of N.
  expect(pressed('Ctrl+B', 'KeyB', 'x')).toBe(undefined)
  expect(pressed('Ctrl+B', 'KeyN', 'b')).toBe('list')
})
