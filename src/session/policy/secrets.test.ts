import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasSecret } from './secrets.ts'

const of = (chars: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...chars.split('')), minLength: length, maxLength: length })
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'
const any = upper + upper.toLowerCase() + digits

/** Put together here, so that no scanner takes this file for a leak. */
const tokens = fc.oneof(
  of(upper + digits, 16).map((rest) => `AKIA${rest}`),
  fc.tuple(fc.constantFrom('p', 'o', 's'), of(any, 36)).map(([kind, rest]) => `gh${kind}_${rest}`),
  of(any, 40).map((rest) => `github_pat_${rest}`),
  of(any, 40).map((rest) => `sk-proj-${rest}`),
  of(any, 40).map((rest) => `sk-ant-api03-${rest}`),
  of(digits, 20).map((rest) => `xoxb-${rest}`),
  of(any, 35).map((rest) => `AIza${rest}`),
)
const words = fc
  .array(fc.string({ unit: fc.constantFrom(...'abcdefghij'.split('')), minLength: 1 }), {
    maxLength: 6,
  })
  .map((list) => list.join(' '))

test('[SEC1] a provider’s token is found wherever it stands', () => {
  fc.assert(
    fc.property(words, tokens, words, (before, token, after) => {
      expect(hasSecret(`${before} ${token} ${after}`)).toBe(true)
      expect(hasSecret(`${before}="${token}"${after}`)).toBe(true)
    }),
  )
})

test('[SEC1] what is named as a password, a key or a credential is found by its name', () => {
  for (const line of [
    'mysql --password hunter2',
    'mysql --password=hunter2 db',
    'mysql -u root -phunter2',
    'sshpass -p hunter2 ssh a@b',
    'export DB_PASSWORD=hunter2',
    'curl -H "Authorization: Bearer abc.def"',
    "curl -H 'authorization: token abcdef'",
    'curl -u ann:hunter2 https://example.com',
    'git clone https://ann:hunter2@example.com/x.git',
    'curl "https://example.com/?api_key=abcdef"',
    'the password: hunter2',
    '{"password": "hunter2"}',
    'tool --api-key abcdef',
    'openssl enc -pass pass:hunter2',
    '-----BEGIN RSA PRIVATE ' + 'KEY-----',
    'export STRIPE_KEY=a1b2c3d4e5f6g7h8i9j0',
    'DEPLOY_TOKEN="Zm9vYmFyYmF6cXV4MTIz" make deploy',
  ])
    expect([line, hasSecret(line)]).toEqual([line, true])
})

test('[SEC1] ordinary lines, and lines that only name a variable, are none', () => {
  for (const line of [
    'git status',
    'npm install --save-dev fuzzysort',
    'docker login --password-stdin',
    'mysql --password "$DB_PASSWORD"',
    'export API_TOKEN=$(pass show token)',
    'export API_TOKEN=${TOKEN}',
    'how do I reset my password?',
    'curl -u "$USER:$PASS" https://example.com',
    'echo $PASSWORD',
    'why does password=<your password> not work',
    'ls -u --token',
    'KEYBOARD=us make',
    'scp a@b:/tmp/x .',
    'see https://example.com:8080/a@b',
    'MONKEY_PATH=/usr/local/lib/aaaaaaaaaaaaa make',
  ])
    expect([line, hasSecret(line)]).toEqual([line, false])
  fc.assert(
    fc.property(words, (text) => {
      expect(hasSecret(text)).toBe(false)
    }),
  )
})

test('[SEC1] a secret is found in a very long line, and half a pattern many times over is none', () => {
  const halves = ['a', 'password ', 'sk- ', '://a', 'KEY ', 'mysql ', ' -u a', 'eyJaaaaaaaaaa']
  for (const half of halves) {
    const long = half.repeat(20_000)
    expect([half, hasSecret(long)]).toEqual([half, false])
    expect([half, hasSecret(`${long} --password hunter2 ${long}`)]).toEqual([half, true])
  }
})
