import { expect, test } from 'vitest'
import { causeLine } from './ask.ts'

const line = (
  command: string,
  cause: { reason?: string; part?: string; targets?: string[] },
  cwd: string | null = '/home/me/shop',
) => {
  const reason = cause.reason ?? 'deletes it'
  return causeLine({ command, cwd, causes: [{ ...cause, reason }] }, reason)
}

test('[APP8] a place is told only where it says more than the words typed and the reason', () => {
  expect(line('rm -rf a', { targets: ['/home/me/shop/a'] })).toBe(null)
  expect(line('rm -rf ./a/ "b"', { targets: ['/home/me/shop/a', '/home/me/shop/b'] })).toBe(null)
  expect(line('rm /tmp/x', { targets: ['/tmp/x'] })).toBe(null)
  expect(line('rm link/x', { targets: ['/etc/x'] })).toBe('→ /etc/x')
  expect(line('cat link/x', { reason: 'reads /etc/x, a secret', targets: ['/etc/x'] })).toBe(null)
  expect(line('cat x', { reason: 'reads ~/k/x', targets: ['/home/ada/k/x'] })).toBe(null)
  expect(line('cd a && rm x', { part: 'rm x', targets: ['/home/me/shop/a/x'] })).toBe(
    'rm x → /home/me/shop/a/x',
  )
  expect(line('rm x', { targets: ['/home/me/shop/x'] }, null)).toBe('→ /home/me/shop/x')
})

test('[APP8] a reason names its part where the command has others, and at most four places', () => {
  expect(line('ls && rm a', { part: 'rm a', targets: ['/home/me/shop/a'] })).toBe('rm a')
  const targets = [1, 2, 3, 4, 5].map((n) => `/x/${n}`)
  expect(line('rm *', { targets })).toBe('→ /x/1, /x/2, /x/3, /x/4 …')
  expect(causeLine({ command: 'ls', cwd: null }, 'any')).toBe(null)
})
