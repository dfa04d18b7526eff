import type { z } from 'zod'

/** Values that are wrong nearly everywhere; where one is right, the schema says so and it is left out. */
export const wrongValues: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  2 ** 53,
  '',
  '\0',
  '../../../../etc/passwd',
  '\u001b]0;x\u0007\u202e',
  'x'.repeat(70_000),
  [],
  [[]],
  {},
  { toString: 'x' },
]

/** Names that are no field of ours, and that a careless merge would obey. */
const strangeKeys = ['surprise', '__proto__', 'constructor', 'toString', '', '\0', 'type']

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON with one key more, written by hand: `__proto__` in an object literal would not be a key. */
function withKey(good: Record<string, unknown>, key: string): string {
  const rest = JSON.stringify(good).slice(1, -1)
  return `{${JSON.stringify(key)}:"x"${rest === '' ? '' : ','}${rest}}`
}

/** Every single fault of a good value that its schema does not let through, as JSON. */
export function spoilt(good: unknown, schema: z.ZodType): readonly string[] {
  const all = [
    ...wrongValues.slice(0, -1).map((value) => JSON.stringify(value)),
    ...(isObject(good) ? spoiltObject(good) : []),
  ]
  return [...new Set(all)].filter((text) => !schema.safeParse(JSON.parse(text)).success)
}

function spoiltObject(good: Record<string, unknown>): readonly string[] {
  const keys = Object.keys(good)
  return [
    ...keys.map((key) => JSON.stringify({ ...good, [key]: undefined })),
    ...keys.flatMap((key) => wrongValues.map((value) => JSON.stringify({ ...good, [key]: value }))),
    ...keys.map((key) => JSON.stringify({ ...good, [key]: [good[key], good[key]] })),
    ...strangeKeys.filter((key) => !keys.includes(key)).map((key) => withKey(good, key)),
  ]
}

/** Half a surrogate pair in the place of each text: valid JSON, and no text. */
export function halved(good: unknown): readonly string[] {
  const whole = JSON.stringify(good)
  const texts = [...whole.matchAll(/:"/g)].map(({ index }) => index + 2)
  return texts.map((at) => `${whole.slice(0, at)}\\ud800${whole.slice(at)}`)
}

/** Bodies that no schema should get to see. */
export const brokenBodies: readonly (string | Buffer)[] = [
  '{',
  '{"a":',
  'a=b',
  '{}{}',
  '"\\ud800"',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xed, 0xa0, 0x80]),
  '['.repeat(100_000),
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{${Array.from({ length: 20_000 }, (_, n) => `"key${n}":0`).join(',')}}`,
]

/** Parts of an address that no id looks like. */
export const wrongIds: readonly string[] = [
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e%5c%2e%2e',
  '%00',
  'x%00y',
  '%ff%fe',
  '%ed%a0%80',
  '%0d%0aSet-Cookie:x=1',
  '%1b%5b31m',
  "x'%20OR%201=1--",
  '__proto__',
  'constructor',
  '*',
  'x'.repeat(300),
  'x'.repeat(20_000),
  '%F0%9F%92%A9',
]

export const wrongQueries: readonly string[] = [
  '',
  'NaN',
  '-1',
  '1.5',
  '1e9',
  '0x10',
  '99999999999999999999',
  '%00',
  '%ff',
  '%ed%a0%80',
  '..%2f..%2fetc%2fpasswd',
  'x'.repeat(5_000),
]
