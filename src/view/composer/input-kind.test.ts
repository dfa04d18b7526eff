import { expect, test } from 'vitest'
import { localCommands } from '../../protocol/local-commands.ts'
import { localCommand } from './input-kind.ts'
import { isComposed } from './keys.ts'

test('[VIEW17] a client knows its own five commands and no others', () => {
  expect(localCommands.map(({ name }) => name)).toEqual(['help', 'clear', 'theme', 'quit', 'bash'])
  expect(localCommand(' /theme  dark ')).toEqual({ name: 'theme', args: 'dark' })
  expect(['/themes', 'help', '/model x', '/usr/bin/ls', '!ls'].map(localCommand)).toEqual(
    Array(5).fill(null),
  )
})

test('[VIEW23] an Enter that chooses a character of an input method sends nothing, in Safari neither', () => {
  const enter = { isComposing: false, keyCode: 13 }
  expect(isComposed(enter)).toBe(false)
  expect(isComposed({ ...enter, isComposing: true })).toBe(true)
  expect(isComposed({ ...enter, keyCode: 229 })).toBe(true)
})
