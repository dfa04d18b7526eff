import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestTeams } from '../support/teams.ts'

test('[TRUST1] a folder is trusted when a person said so of it or of a parent, also after a restart', async () => {
  const world = openTestTeams()
  const [project, other] = [join(world.folder, 'project'), join(world.folder, 'project-2')]
  mkdirSync(join(project, 'src'), { recursive: true })
  mkdirSync(other)
  expect(await world.trust.isTrusted(project)).toBe(false)
  expect(await world.trust.trust(project)).toEqual({ ok: true, value: project })
  const { trust } = await world.again()
  expect(await Promise.all([project, join(project, 'src')].map(trust.isTrusted))).toEqual([
    true,
    true,
  ])
  expect(await Promise.all([world.folder, other, '/', 'project', ''].map(trust.isTrusted))).toEqual(
    Array.from({ length: 5 }, () => false),
  )
  expect(trust.list()).toEqual([{ path: project, at: expect.any(Number) }])
})

test('[TRUST1] a link counts as what it leads to, now', async () => {
  const { trust, folder } = openTestTeams()
  const [good, bad, link] = ['good', 'bad', 'link'].map((name) => join(folder, name))
  mkdirSync(good!)
  mkdirSync(bad!)
  symlinkSync(good!, link!)
  expect(await trust.trust(link!)).toEqual({ ok: true, value: good })
  expect(await trust.isTrusted(link!)).toBe(true)
  renameSync(good!, `${good}-moved`)
  expect(await trust.isTrusted(link!)).toBe(false)
  symlinkSync(bad!, good!)
  expect(await Promise.all([link!, good!].map(trust.isTrusted))).toEqual([false, false])
  symlinkSync(bad!, join(`${good}-moved`, 'inside'))
  await trust.trust(`${good}-moved`)
  expect(await trust.isTrusted(join(`${good}-moved`, 'inside'))).toBe(false)
})

test('[TRUST1] trust is taken back by name, also of a folder that is gone; a parent’s stays', async () => {
  const { trust, folder } = openTestTeams()
  const inner = join(folder, 'a', 'b')
  mkdirSync(inner, { recursive: true })
  await trust.trust(inner)
  await trust.trust(join(folder, 'a'))
  expect(await trust.revoke(inner)).toBe(true)
  expect(await trust.isTrusted(inner)).toBe(true)
  renameSync(join(folder, 'a'), join(folder, 'moved'))
  expect(await trust.revoke(join(folder, 'a'))).toBe(true)
  expect(await trust.revoke(join(folder, 'a'))).toBe(false)
  renameSync(join(folder, 'moved'), join(folder, 'a'))
  expect(await trust.isTrusted(inner)).toBe(false)
  expect(trust.list()).toEqual([])
})

test('[TRUST1] only an existing folder can be trusted, and never all folders at once', async () => {
  const { trust, folder } = openTestTeams()
  writeFileSync(join(folder, 'file'), '')
  const no = async (path: string) => {
    const said = await trust.trust(path)
    return said.ok ? 'trusted' : [said.error.code, said.error.message]
  }
  expect(await no('here')).toEqual(['bad_folder', expect.stringContaining('not an absolute path')])
  expect(await no(join(folder, 'none'))).toEqual([
    'bad_folder',
    expect.stringContaining('no such folder'),
  ])
  expect(await no(join(folder, 'file'))).toEqual([
    'bad_folder',
    expect.stringContaining('not a folder'),
  ])
  expect(await no('/')).toEqual([
    'bad_folder',
    expect.stringContaining('everything on this machine'),
  ])
  expect(trust.list()).toEqual([])
})
