import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rawValue } from './raw-value.ts'

type Path = readonly (string | number)[]

/** JSON as somebody else might write it: odd spacing, escapes where none are needed. */
function write(value: unknown, blank: () => string): string {
  const pad = (text: string) => `${blank()}${text}${blank()}`
  if (Array.isArray(value)) return pad(`[${blank()}${value.map((v) => write(v, blank)).join(',')}]`)
  if (typeof value === 'object' && value !== null)
    return pad(
      `{${blank()}${Object.entries(value)
        .map(([key, v]) => `${pad(escaped(key))}:${write(v, blank)}`)
        .join(',')}}`,
    )
  return pad(typeof value === 'string' ? escaped(value) : JSON.stringify(value))
}

function escaped(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `"${inner.replaceAll('a', '\\u0061').replaceAll('/', '\\/')}"`
}

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => pathsIn(item, [...path, index]))
    : Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, key]))
  return [path, ...inside]
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], value)
}

const blanks = fc.infiniteStream(fc.constantFrom('', '', ' ', '\n\t', '\r\n  '))

test('[MODEL20] the raw value at any path of any JSON text is its own text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), blanks, (value, stream) => {
      const text = write(value, () => String(stream.next().value))
      const parsed: unknown = JSON.parse(text)
      for (const path of pathsIn(parsed)) {
        const raw = rawValue(text, path)
        expect(raw).not.toBeNull()
        expect(text).toContain(raw)
        expect(raw).toBe(raw?.trim())
        expect(JSON.parse(raw ?? '')).toEqual(valueAt(parsed, path))
      }
    }),
    { numRuns: 500 },
  )
})

test.each<[string, Path, string | null]>([
  [
    '{"a": {"n": 1.50e+2,  "n" :12345678901234567890 } }',
    ['a'],
    '{"n": 1.50e+2,  "n" :12345678901234567890 }',
  ],
  ['{"a":1,"a": [ 2 ]}', ['a'], '[ 2 ]'],
  ['{"\\u0061":"\\ud800 \\/"}', ['a'], '"\\ud800 \\/"'],
  ['{"a":"}]\\\\","b":[{}]}', ['b', 0], '{}'],
  ['[[],[1]]', [1, 0], '1'],
  [' -0.0 ', [], '-0.0'],
  ['{"a":1}', ['b'], null],
  ['[1]', [1], null],
  ['[]', [0], null],
  ['{"a":null}', ['a', 'b'], null],
  ['{"0":1}', [0], null],
])('[MODEL20] %s at %j', (text, path, expected) => {
  expect(rawValue(text, path)).toBe(expected)
})
