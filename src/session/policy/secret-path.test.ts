import { expect, test } from 'vitest'
import { isSecretPath } from './secrets.ts'

test.each([
  '.env',
  'a/.env.local',
  'prod.env',
  '.envrc',
  'server.pem',
  'tls/site.key',
  'id_rsa',
  '/home/a/.ssh/id_ed25519',
  '/home/a/.ssh',
  '/home/a/.ssh/config',
  '/home/a/.aws/credentials',
  '/home/a/.config/gh/hosts.yml',
  '/home/a/.local/share/tandem/token',
  '.netrc',
  '.npmrc',
  'credentials.json',
  'secrets.yaml',
  'terraform.tfstate',
  '.bash_history',
  '/home/a/.zsh_history',
  '/home/a/.local/share/fish/fish_history',
  '.python_history',
  '.histfile',
  '.ENV',
])('[AT10] a secret is known by its name: %s', (path) => {
  expect(isSecretPath(path)).toBe(true)
})

test.each([
  '.env.example',
  'env.ts',
  'environment',
  'id_rsa.pub',
  'id_map.ts',
  'keys.ts',
  'key',
  'monkey',
  'src/secrets.ts',
  'credentials.ts',
  'history.ts',
  'docs/ssh/readme',
  '.sshd/x',
  'my.ssh/x',
  'a/tandem/token.ts',
])('[AT10] what only resembles one is none: %s', (path) => {
  expect(isSecretPath(path)).toBe(false)
})
