import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const of = (chars: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...chars.split('')), minLength: length, maxLength: length })
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'
const any = upper + upper.toLowerCase() + digits

/** A secret and the text in which it is one; put together here, so that no scanner takes this file for a leak. */
const planted = fc.oneof(
  fc
    .oneof(
      of(upper + digits, 16).map((rest) => `AKIA${rest}`),
      fc.tuple(fc.constantFrom('p', 'o', 's', 'u', 'r'), of(any, 36)).map((of) => of.join('_')),
      of(any, 40).map((rest) => `github_pat_${rest}`),
      of(any, 24).map((rest) => `glpat-${rest}`),
      of(any, 40).map((rest) => `sk-ant-api03-${rest}`),
      of(any, 24).map((rest) => `sk_live_${rest}`),
      of(any, 24).map((rest) => `xoxb-${rest}`),
      of(any, 35).map((rest) => `AIza${rest}`),
      of(any, 36).map((rest) => `npm_${rest}`),
      fc.tuple(of(any, 20), of(any, 20), of(any, 30)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
    )
    .map((token) => (/^[psour]_/.test(token) ? `gh${token}` : token))
    .chain((secret) => fc.record({ secret: fc.constant(secret), text: around(secret) })),
  fc.record({ value: of(`${any}!#%+,./:@^`, 14), form: fc.nat() }).map(({ value, form }) => {
    const secret = `v${value.replaceAll(/[@/]/g, '+')}`
    return { secret, text: forms[form % forms.length]!(secret) }
  }),
)

/** Places in which a token stands in a command. */
function around(token: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    token,
    `"${token}"`,
    `'${token}'`,
    `X=${token}`,
    `X="${token}"`,
    `--with=${token}`,
    `https://example.com/?k=${token}&x=1`,
    `https://${token}@example.com/a.git`,
    `echo ${token}>file`,
    `x;${token};y`,
    `$(echo ${token})`,
    `{"a":"${token}"}`,
  )
}

const keyHead = ['-----BEGIN RSA PRIVATE', 'KEY-----'].join(' ')

/** Ways to name a secret that has no shape of its own. */
const forms: readonly ((secret: string) => string)[] = [
  (secret) => `mysql --password ${secret} db`,
  (secret) => `mysql --password="${secret} and more" db`,
  (secret) => `mysql -u root -p${secret} db`,
  (secret) => `sshpass -p ${secret} ssh a@b`,
  (secret) => `export DB_PASSWORD=${secret}`,
  (secret) => `PASSWORD='${secret}' make`,
  (secret) => `curl -H "Authorization: Bearer ${secret}" x`,
  (secret) => `curl -H 'Authorization: Basic ${secret}' x`,
  (secret) => `curl -u ann:${secret} https://example.com`,
  (secret) => `git clone https://ann:${secret}@example.com/x.git`,
  (secret) => `curl "https://example.com/?api_key=${secret}"`,
  (secret) => `echo '{"password": "${secret}"}'`,
  (secret) => `openssl enc -pass pass:${secret}`,
  (secret) => `tool --api-key ${secret}`,
  (secret) => `cat <<X\n${keyHead}\n${secret}\n${secret}\nX`,
]

const words = fc
  .array(fc.string({ unit: fc.constantFrom(...'abcdefghij'.split('')), minLength: 1 }), {
    maxLength: 4,
  })
  .map((list) => list.join(' '))

/** Every stretch of eight characters: no part of a secret that is worth anything. */
const stretches = (secret: string) =>
  Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8))

test('[AUD1] no part of a planted secret is left in a command, and the words around it stay', () => {
  fc.assert(
    fc.property(words, planted, words, (before, { secret, text }, after) => {
      const shown = redact(`${before} ${text} ${after}`)
      expect(stretches(secret).filter((part) => shown.includes(part))).toEqual([])
      expect(shown).toContain('[redacted]')
    }),
    { numRuns: 3_000 },
  )
  expect(redact('mysql --password hunter2 db')).toBe('mysql --password [redacted] db')
  expect(redact('curl -u ann:hunter2 example.com')).toBe('curl -u ann:[redacted] example.com')
  expect(redact('A_TOKEN="Zm9vYmFyYmF6cXV4MTIz" make x')).toBe('A_TOKEN="[redacted] make x')
  expect(redact('git clone https://ann:a:b@example.com/x.git here')).toBe(
    'git clone https://ann:[redacted] here',
  )
})

test('[AUD1] a command without a secret is shown as it is', () => {
  for (const command of ['git status', 'echo "$API_KEY"', 'cat src/token.ts', 'npm test -- --run'])
    expect(redact(command)).toBe(command)
  fc.assert(fc.property(words, (text) => redact(text) === text))
})
