// needs: zsh fish
import { expect, test } from 'vitest'
import { readConfig } from '../../src/server/config.ts'

test.each([
  ['/usr/bin/zsh', '/usr/bin/zsh'],
  ['/usr/local/bin/fish', '/usr/local/bin/fish'],
  ['/bin/bash', '/bin/bash'],
  ['/bin/tcsh', 'bash'],
  [undefined, 'bash'],
])('[TERM27] the shell is $SHELL if it is bash, zsh or fish, else bash: %s', (own, shell) => {
  expect(readConfig({}, { HOME: '/nowhere', SHELL: own }).shell).toBe(shell)
})
