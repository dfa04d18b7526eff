import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RepoName } from '../../src/protocol/http/team.ts'
import { freeName, registerFolder } from '../../src/server/teams/repo-folder.ts'
import { lookHere } from '../../src/server/looker/operations.ts'
import { openTestTeams, type TestTeams } from '../support/teams.ts'

function folderIn({ folder }: TestTeams, ...names: string[]): string {
  const path = join(folder, ...names)
  mkdirSync(path, { recursive: true })
  return path
}

test('[TEAM1] the team default is always there; another is made once, by a name that stands in an address', async () => {
  const world = openTestTeams()
  expect(world.teams.list()).toEqual(['default'])
  expect(world.teams.create('zebra')).toEqual({ ok: true, value: 'zebra' })
  expect(world.teams.create('ape')).toEqual({ ok: true, value: 'ape' })
  expect(world.teams.create('ape')).toMatchObject({ ok: false, error: { code: 'taken' } })
  for (const name of ['', 'Upper', 'a b', '../x', '-x', 'x'.repeat(41), 'ä'])
    expect(world.teams.create(name)).toMatchObject({ ok: false, error: { code: 'bad_request' } })
  const later = await world.again()
  expect(later.teams.list()).toEqual(['default', 'ape', 'zebra'])
  expect([later.teams.has('ape'), later.teams.has('cat')]).toEqual([true, false])
})

test('[TEAM1] a team has a folder of its own that only its owner can enter', () => {
  const { teams, home } = openTestTeams()
  const folder = teams.folder('default')
  expect(folder).toBe(join(home, 'teams', 'default'))
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(() => teams.folder('../../etc')).toThrow('not a team name')
})

test('[TEAM3] repos keep the order they were registered in, also after a restart', async () => {
  const world = openTestTeams()
  const { teams } = world
  for (const name of ['zoo', 'api', 'mid'])
    await teams.addRepo('default', { path: folderIn(world, name) })
  expect(teams.removeRepo('default', 'api')).toEqual({
    ok: true,
    value: { name: 'api', path: join(world.folder, 'api') },
  })
  await teams.addRepo('default', { path: folderIn(world, 'api') })
  const later = await world.again()
  expect(later.teams.repos('default').map(({ name }) => name)).toEqual(['zoo', 'mid', 'api'])
  later.teams.create('other')
  expect(later.teams.repos('other')).toEqual([])
})

test('[TEAM3] a repo is where its folder really is, under the folder’s name or the one it is given', async () => {
  const world = openTestTeams()
  const { teams } = world
  const real = folderIn(world, 'real')
  symlinkSync(real, join(world.folder, 'link'))
  expect(await teams.addRepo('default', { path: join(world.folder, 'link') })).toEqual({
    ok: true,
    value: { name: 'real', path: real },
  })
  const given = { path: folderIn(world, 'other'), name: 'My.repo_1' }
  expect(await teams.addRepo('default', given)).toMatchObject({ value: { name: 'My.repo_1' } })
  const same = await teams.addRepo('default', { path: folderIn(world, 'deep', 'real') })
  expect(same).toMatchObject({ value: { name: 'real-2' } })
})

test('[TEAM3] a folder’s name becomes a valid one that is free, whatever it is called', () => {
  const names = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'grapheme', maxLength: 100 })))
  fc.assert(
    fc.property(names, (folders) => {
      const taken = new Set<string>()
      for (const folder of folders) {
        const name = freeName(folder, taken)
        expect(RepoName.safeParse(name).success).toBe(true)
        expect(taken.has(name)).toBe(false)
        taken.add(name)
      }
    }),
  )
  expect(freeName('my project (old)', new Set())).toBe('my-project-old')
  expect(freeName('.dotfiles', new Set())).toBe('dotfiles')
  expect(freeName('日本', new Set(['repo']))).toBe('repo-2')
})

test('[TEAM3] what cannot be a repo is refused with a sentence that says why', async () => {
  const world = openTestTeams()
  const { teams, folder } = world
  writeFileSync(join(folder, 'file'), '')
  const here = folderIn(world, 'here')
  await teams.addRepo('default', { path: here, name: 'first' })
  const no = async (path: string, name?: string) => {
    const added = await teams.addRepo('default', { path, ...(name !== undefined && { name }) })
    return added.ok ? 'added' : [added.error.code, added.error.message]
  }
  expect(await no('relative')).toEqual([
    'bad_repo',
    expect.stringContaining('not an absolute path'),
  ])
  expect(await no(join(folder, 'none'))).toEqual([
    'bad_repo',
    expect.stringContaining('no such folder'),
  ])
  expect(await no(join(folder, 'file'))).toEqual([
    'bad_repo',
    expect.stringContaining('not a folder'),
  ])
  expect(await no('/tmp\0x')).toEqual(['bad_repo', expect.stringContaining('not an absolute path')])
  expect(await no(folderIn(world, 'x'), '../x')).toEqual([
    'bad_repo',
    expect.stringContaining('cannot name a repo'),
  ])
  expect(await no(here)).toEqual([
    'taken',
    `${here} is already the repo "first" of team "default".`,
  ])
  expect(await no(folderIn(world, 'x'), 'first')).toEqual([
    'taken',
    expect.stringContaining(`taken by ${here}`),
  ])
  expect(teams.repos('default')).toEqual([{ name: 'first', path: here }])
  expect(await teams.addRepo('nobody', { path: here })).toMatchObject({
    error: { code: 'unknown_team' },
  })
  expect(teams.removeRepo('default', 'second')).toEqual({
    ok: false,
    error: { code: 'unknown_repo', message: 'Team "default" has no repo "second". It has: first.' },
  })
})

test('[TEAM3] a repo whose folder is gone is said to be, until it is back', async () => {
  const world = openTestTeams()
  const path = folderIn(world, 'here')
  await world.teams.addRepo('default', { path })
  rmSync(path, { recursive: true })
  expect(await world.teams.seenRepos('default')).toEqual([{ name: 'here', path, missing: true }])
  folderIn(world, 'here')
  expect(await world.teams.seenRepos('default')).toEqual([{ name: 'here', path }])
})

test('[TEAM8] the folder one starts in becomes a repo by itself: only in a git work tree, only as the first', async () => {
  const world = openTestTeams()
  const { teams } = world
  const plain = folderIn(world, 'plain')
  expect(await registerFolder({ teams, look: lookHere }, 'default', plain)).toBeNull()
  folderIn(world, 'tree', '.git')
  const deep = folderIn(world, 'tree', 'src', 'deep')
  expect(await registerFolder({ teams, look: lookHere }, 'default', deep)).toEqual({
    name: 'deep',
    path: deep,
  })
  const linked = folderIn(world, 'linked')
  // A linked work tree, and a submodule, has a file there.
  writeFileSync(join(linked, '.git'), 'gitdir: elsewhere')
  expect(await registerFolder({ teams, look: lookHere }, 'default', linked)).toBeNull()
  teams.create('other')
  expect(await registerFolder({ teams, look: lookHere }, 'other', linked)).toEqual({
    name: 'linked',
    path: linked,
  })
  expect(teams.repos('default')).toHaveLength(1)
  folderIn(world, 'data', '.git')
  teams.create('third')
  expect(await registerFolder({ teams, look: lookHere }, 'third', teams.folder('third'))).toBeNull()
})
