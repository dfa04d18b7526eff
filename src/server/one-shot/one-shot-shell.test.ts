import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { oneShotShell } from './one-shots.ts'

const place = { shell: 'bash', env: { PATH: '/usr/bin:/bin' }, cwd: '/' }

test('[APP8] a one-shot bash has the built-ins and programs that a real one has', async () => {
  const names = ['cd', 'echo', 'ls', 'pwd', 'test', 'no-such-program']
  const known = await oneShotShell(place, names)
  for (const name of known?.state.builtins ?? [])
    expect(execFileSync('bash', ['-c', `type -t '${name}'`]).toString()).toBe('builtin\n')
  const found = known?.state.found.get('ls')
  expect(execFileSync('bash', ['-c', 'type -P ls'], { env: place.env }).toString()).toBe(
    `${found}\n`,
  )
  expect(known?.state.found.has('no-such-program')).toBe(false)
})

test.each([
  { BASH_ENV: '/tmp/x' },
  { 'BASH_FUNC_ls%%': '() { :; }' },
  { SHELLOPTS: 'braceexpand:xtrace' },
])('[APP10] a one-shot bash with %o is not known', async (more) => {
  expect(await oneShotShell({ ...place, env: { ...place.env, ...more } }, ['ls'])).toBeNull()
})

test('[APP10] another shell reads files before a one-shot run, and is not known', async () => {
  expect(await oneShotShell({ ...place, shell: '/bin/zsh' }, ['ls'])).toBeNull()
})
