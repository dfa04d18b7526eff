import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { awkCode } from './awk-code.ts'

test.each([
  ['{print $1 "|" $2}', '{print $1 "" $2}'],
  ['/a|b/ {print}', '0 {print}'],
  ['{gsub(/a|b/, "x")}', '{gsub(0, "")}'],
  ['{print $1/2, a[1]/2}', '{print $1/2, a[1]/2}'],
  ['# a "|\n{print}', '\n{print}'],
  ['x = y\n/a|b/', 'x = y\n0'],
  ['{print "\\"|"}', '{print ""}'],
  ['$1 ~ /a\\/b/ || /c/', '$1 ~ 0 || 0'],
])('[APP8] texts, patterns and comments of awk are no code: %j', (script, code) => {
  expect(awkCode(script)).toBe(code)
})

test.each(['i++/x/1', 'length /x/ 1', '(1) /x/ 2', '/[/]"/', '"a', '/a', '{print /a\n/}'])(
  '[APP8] a slash or a quote that may be read in two ways is not guessed: %j',
  (script) => expect(awkCode(script)).toBe(null),
)

test('[APP8] ∀ what is left of an awk program has no text and no comment, and is no longer', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('"', '/', '\\', '#', '|', 'x', '1', ' ', '\n', '(', ')', '"a"')),
      (pieces) => {
        const script = pieces.join('')
        const code = awkCode(script) ?? ''
        expect(code.length).toBeLessThanOrEqual(script.length)
        expect(code.replaceAll('""', '')).not.toMatch(/["#]/)
      },
    ),
  ))
