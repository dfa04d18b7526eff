import { expect, test } from 'vitest'
import { localCommands } from '../protocol/local-commands.ts'
import { localCommand } from './local.ts'

test('[VIEW17] a client knows its own five commands and no others', () => {
  expect(localCommands.map(({ name }) => name)).toEqual(['help', 'clear', 'theme', 'quit', 'bash'])
  expect(localCommand(' /theme  dark ')).toEqual({ name: 'theme', args: 'dark' })
  expect(['/themes', 'help', '/model x', '/usr/bin/ls', '!ls'].map(localCommand)).toEqual(
    Array(5).fill(null),
  )
})
