import { expect, test } from 'vitest'
import { isNarrowPattern } from './narrow.ts'

test.each([
  '(abc)?',
  '(abc){0}',
  'abc\\{0\\}',
  '\\(abc\\)*',
  '(?#foo)',
  '(?!abc)',
  'S[E]CRET',
  'p.ssword',
  'SEC(R)ET',
  'SECR?ET',
  'DB_PASS',
  'API.KE.',
  'x(abc){0}',
  '(abc|d)',
  '((abc)?)',
  'abc|(abc)?',
  '\\Qx\\Eabc',
  'abc\\?\\|x',
  '(x|(abc)*)',
  'abc{,3}',
  'SE\\(CR\\)ET',
  '[[:alpha:]]foo*',
  'abc**',
  ' S\\w*T',
  '\\(abc\\)\\{0,1\\}',
  '(DB|XYZ)_(PA|QA)SS',
])(
  '[APP8] a pattern that may meet all lines, or those of secrets, is not narrow: %s',
  (pattern) => {
    expect(isNarrowPattern(pattern)).toBe(false)
  },
)

test.each([
  'TODO',
  'export',
  'foo|bar',
  'TODO|FIXME|HACK',
  'router\\.(get|post|put|delete)',
  "from '.*orders'",
  'interface Order\\b',
  'eval(',
  'calculateTotal\\(',
  'releaseAll\\|reserveAll',
  'class \\w+Error',
  "code: '[a-z_]+'",
  'export (const|function) (\\w+)',
  'TODO\\(ada\\)',
  'useEffect\\(',
  'created_at',
  'migrations?',
  'rm -rf',
  'context\\.Background\\(\\)',
  'limit=|after=',
  '^import .* from "react"',
  '<Button',
  '\\bfoo\\b',
  'function\\s+render',
  'console\\.log',
  'process.env',
  'describe\\(.*orders',
  '^## Install',
  'import React, { useState }',
  'addEventListener',
  'it\\(["\']should',
])('[APP8] a pattern that looks for a word is narrow: %s', (pattern) => {
  expect(isNarrowPattern(pattern)).toBe(true)
})

test('[APP8] a pattern that is slow to try is soon judged', () => {
  const from = performance.now()
  for (const each of ['((a+)+)+abc', '.*a.*a.*a.*a.*abc', '(x|(.*)*)*abc{1,99}'])
    isNarrowPattern(each.repeat(9))
  expect(performance.now() - from).toBeLessThan(1_000)
})
