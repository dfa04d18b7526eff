import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PrivateFileError } from '../../src/server/access/private-file.ts'
import { openTokenFile } from '../../src/server/access/secrets.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tandem-token-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}

test('[HTTP40] the token is 256 random bits in a file that only its owner can read', async () => {
  const dir = await folder()
  const path = join(dir, 'token')
  const before = process.umask(0)
  const file = await openTokenFile(path).finally(() => process.umask(before))
  expect(Buffer.from(file.current(), 'base64url')).toHaveLength(32)
  expect(await readFile(path, 'utf8')).toBe(`${file.current()}\n`)
  expect(await modeOf(path)).toBe(0o600)
  expect(await readdir(dir)).toEqual(['token'])
})

test('[HTTP40] the token survives a restart', async () => {
  const path = join(await folder(), 'token')
  const first = await openTokenFile(path)
  const second = await openTokenFile(path)
  expect(second.current()).toBe(first.current())
})

test('[HTTP40] servers that start at once share one token', async () => {
  const dir = await folder()
  const files = await Promise.all(
    Array.from({ length: 8 }, () => openTokenFile(join(dir, 'token'))),
  )
  expect(new Set(files.map((file) => file.current())).size).toBe(1)
  expect(await readdir(dir)).toEqual(['token'])
})

test('[HTTP34] rotation replaces the file and what the server accepts', async () => {
  const dir = await folder()
  const path = join(dir, 'token')
  const file = await openTokenFile(path)
  const old = file.current()
  const next = await file.rotate()
  expect(next).not.toBe(old)
  expect(file.current()).toBe(next)
  expect((await openTokenFile(path)).current()).toBe(next)
  expect(await modeOf(path)).toBe(0o600)
  expect(await readdir(dir)).toEqual(['token'])
})

test('[HTTP40] a token that others could read, or that is none, is replaced', async () => {
  const path = join(await folder(), 'token')
  const leaked = (await openTokenFile(path)).current()
  await chmod(path, 0o644)
  const fresh = (await openTokenFile(path)).current()
  expect(fresh).not.toBe(leaked)
  expect(await modeOf(path)).toBe(0o600)
  await writeFile(path, 'short\n')
  expect((await openTokenFile(path)).current()).toMatch(/^[\w-]{43}$/)
})

test('[HTTP40] a link or a folder in the place of the token is not followed', async () => {
  const dir = await folder()
  const target = join(dir, 'target')
  await writeFile(target, `${'x'.repeat(43)}\n`, { mode: 0o600 })
  await symlink(target, join(dir, 'token'))
  await expect(openTokenFile(join(dir, 'token'))).rejects.toThrow(PrivateFileError)
  await expect(openTokenFile(join(dir, 'token'))).rejects.toThrow(/symbolic link\. Remove it/)
  await expect(openTokenFile(dir)).rejects.toThrow(PrivateFileError)
  expect(await readFile(target, 'utf8')).toBe(`${'x'.repeat(43)}\n`)
})
