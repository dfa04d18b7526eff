import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillHome } from '../skills/support/skill-home.ts'

const evil = '\u001b]0;owned\u0007\u001b[2J\u202e\r\nx'
const long = 'x'.repeat(50_000)

/** Words that no skill has, and that would do harm if they were taken for a path. */
const words = [
  evil,
  long,
  '../../escape',
  '/etc/passwd',
  '.',
  '..',
  '',
  ' ',
  '__proto__',
  '-',
  '%00',
]

test('[BAD7] any words after `skill` are answered in clean lines, and make nothing', async () => {
  const made = await skillHome()
  const { out: help } = await made.skill('--help')
  const names = [...help.matchAll(/^skill (\w+)/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(5)
  const before = readdirSync(made.root, { recursive: true })
  for (const first of [...names, evil, long])
    for (const word of first === 'list' ? [`--${evil}`, `--${long}`] : words) {
      const { code, out, err } = await made.skill(first, word)
      const name = JSON.stringify([first, word]).slice(0, 100)
      expect.soft(code, `${name}: ${err.slice(0, 300)}`).toBeGreaterThan(0)
      // eslint-disable-next-line no-control-regex -- control characters are what must not be there
      expect
        .soft(out + err, name)
        .not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect.soft(err, `${name}: a stack`).not.toMatch(/\bat \S+ \(|node:internal|\.[jt]s:\d/)
      expect.soft(out.length + err.length, `${name}: long`).toBeLessThan(1_000)
    }
  expect(readdirSync(made.root, { recursive: true })).toEqual(before)
  expect(existsSync(join(made.root, '..', 'escape'))).toBe(false)
})
