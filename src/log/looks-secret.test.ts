import fc from 'fast-check'
import { expect, test } from 'vitest'
import { looksSecret } from './looks-secret.ts'

test.each([
  'Password:',
  'password: ',
  "me@host's password: ",
  '[sudo] password for me: ',
  "Enter passphrase for key '/home/me/.ssh/id_ed25519': ",
  "Password for 'https://me@example.org': ",
  'Enter PIN for token 1: ',
  'Verification code: ',
  'OTP? ',
  'Access token (leave empty to skip): ',
  'New password (again)? ',
  'Vault passcode > ',
  '[sudo] Passwort für me: ',
  '[sudo] Mot de passe de me : ',
  '[sudo] contraseña para me: ',
  '[sudo] пароль для me: ',
  '[sudo] me 的密码：',
])('[SEC6] %j looks like a question for a secret', (line) => {
  expect(looksSecret(line)).toBe(true)
})

test.each([
  '',
  '$ ',
  'Name: ',
  'password: changed',
  '12 passed, 0 failed:',
  'Passwords are stored in the keychain.',
  'spinning: ',
  'Continue? [y/N] ',
  'Passwort: geändert',
])('[SEC6] %j does not', (line) => {
  expect(looksSecret(line)).toBe(false)
})

test('[SEC6] ∀ line: it is read in time, and one that does not end as a question is none', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 5_000 }), fc.constantFrom('.', 'x', ')'), (line, end) => {
      expect(looksSecret(line + end)).toBe(false)
    }),
  )
})
