import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Facts, judge } from './judge.ts'

const facts: Facts = { approval: 'guarded', workspace: '/project', cwd: '/project/src' }

test.each([
  'pwd',
  'ls',
  'ls -la',
  'ls src',
  'ls -l src/a-b.c',
  'date',
  'skill list',
  'skill show a',
])('[APP8] %s only reads and runs unasked', (command) => {
  expect(judge(command, facts).decision).toBe('allow')
})

test.each([
  'rm -rf dist',
  'git status',
  'ls; rm x',
  'ls && rm x',
  'ls | sh',
  'ls > x',
  'ls $(rm x)',
  'ls `rm x`',
  'ls ..',
  'ls ../..',
  'ls a/../../b',
  'ls /etc',
  'ls ~',
  'ls $HOME',
  'ls -R',
  'ls --color=auto',
  'ls\nrm x',
  'ls "x"',
  'ls *',
  'date 0101',
  'hostname evil',
  './ls',
  'cat .env',
  'env ls',
  'skill rm a',
  'skill show ../x',
  'skill',
  '',
  ' ls',
  'X=1 ls',
  'ls #',
])('[APP9] %j asks', (command) => {
  expect(judge(command, facts).decision).toBe('ask')
})

test('[APP10] outside the workspace, or where the folder is unknown, everything asks', () => {
  for (const cwd of ['/', '/projects', '/project2', '/etc', null])
    expect(judge('ls', { ...facts, cwd }).decision).toBe('ask')
})

test('[APP11] ask-all asks for everything', () => {
  expect(judge('pwd', { ...facts, approval: 'ask-all' }).decision).toBe('ask')
})

test('[APP12] where nobody attends, what would ask is denied with the reason', () => {
  expect(judge('rm x', { ...facts, approval: 'refuse' })).toMatchObject({
    decision: 'deny',
    reasons: [expect.stringContaining('rm'), 'nobody is here to ask'],
  })
  expect(judge('pwd', { ...facts, approval: 'refuse' }).decision).toBe('allow')
})

test('[APP13] control characters are denied: a terminal would act on them', () => {
  for (const char of ['\x03', '\x1b', '\r', '\x7f', '\0'])
    expect(judge(`ls ${char}`, facts).decision).toBe('deny')
})

const shellCharacters = '|&;<>()$`\\"\'*?[]#~=%!{}\n\t'.split('')

test('[APP14] nothing with a character that means something to a shell runs unasked', () =>
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...shellCharacters), (rest, odd) => {
      expect(judge(`ls ${rest}${odd}`, facts).decision).not.toBe('allow')
      expect(judge(`ls ${odd}${rest}`, facts).decision).not.toBe('allow')
    }),
  ))
