import { expect, test } from 'vitest'
import { createKeptSettings, keepIn, type Keep } from './keep.ts'

/** A browser's storage with room for so many characters. */
function storage(room = Infinity): Storage {
  const items: Record<string, string> = {}
  return Object.assign(
    Object.create({
      getItem: (name: string) => items[name] ?? null,
      setItem(name: string, value: string) {
        if (value.length > room) throw new Error('no room')
        items[name] = value
        Object.assign(this, { [name]: value })
      },
      removeItem(name: string) {
        delete items[name]
        delete (this as Record<string, string>)[name]
      },
    }) as Storage,
  )
}

const read = (kept: unknown) => ({ theme: 'dark', listOpen: true, ...(kept as object) })

test('[CLIENT32] two clients of one keep change their settings without undoing each other’s', () => {
  const keep: Keep = keepIn(storage())
  const [one, two] = [createKeptSettings(keep, 's', read), createKeptSettings(keep, 's', read)]
  one.change({ theme: 'light' })
  two.change({ listOpen: false })
  // Each goes on looking as it did.
  expect(two.get()).toEqual({ theme: 'dark', listOpen: false })
  expect(createKeptSettings(keep, 's', read).get()).toEqual({ theme: 'light', listOpen: false })
})

test('[CLIENT32] what a storage has no room for is kept as long as the client lives', () => {
  const keep = keepIn(storage(3))
  keep.set('a.1', 'abc')
  keep.set('a.2', 'too long')
  expect([keep.get('a.1'), keep.get('a.2'), keep.names('a.')]).toEqual([
    'abc',
    'too long',
    ['a.1', 'a.2'],
  ])
  keep.set('a.2', null)
  keep.set('a.1', null)
  expect([keep.get('a.1'), keep.get('a.2'), keep.names('a.')]).toEqual([null, null, []])
})
