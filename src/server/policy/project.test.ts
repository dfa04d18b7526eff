import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isInIndex } from './git-index.ts'
import { projectAt } from './project.ts'

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-project-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', folder, ...args])
  const place = { workspace: folder, home: null }
  return {
    folder,
    git,
    place,
    pipe: (path: string) => execFileSync('mkfifo', [join(folder, path)]),
  }
}

test('[APP8] a pipe in the place of a file that declares tasks is not waited for', async () => {
  const { folder, place, pipe } = makeFolder()
  for (const name of ['package.json', 'Makefile', 'Cargo.toml', 'justfile', 'pom.xml']) pipe(name)
  writeFileSync(join(folder, 'go.mod'), 'module x\n')
  const { tasks } = await projectAt(folder, place)
  expect(tasks).toEqual(['go test', 'go build', 'go vet', 'go list'])
})

test.each(['config', 'config.worktree', 'index'])(
  '[APP8] git asks in a repository whose %s is a pipe, which is not waited for',
  async (name) => {
    const { folder, git, place, pipe } = makeFolder()
    git('init', '-q')
    rmSync(join(folder, '.git', name), { force: true })
    pipe(join('.git', name))
    const { git: fact } = await projectAt(folder, place)
    expect(fact.reads).toMatch(/cannot be read|nobody looked at/)
    expect(await isInIndex(join(folder, 'a'))).toBe(false)
  },
)

test.each(['2', '4'])('[APP8] git reads unasked with an index of version %s', async (version) => {
  const { folder, git, place } = makeFolder()
  git('init', '-q')
  mkdirSync(join(folder, 'deep'))
  for (const name of ['a.ts', 'ab.ts', 'deep/c.ts']) writeFileSync(join(folder, name), 'x')
  git('add', '.')
  git('update-index', '--index-version', version)
  expect((await projectAt(folder, place)).git.reads).toBeNull()
  git('init', '-q', 'deep/er')
  const empty = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x', '--allow-empty']
  execFileSync('git', ['-C', join(folder, 'deep/er'), ...empty])
  git('-c', 'advice.addEmbeddedRepo=false', 'add', 'deep/er')
  expect((await projectAt(folder, place)).git.reads).toBeNull()
  execFileSync('git', ['-C', join(folder, 'deep/er'), 'config', 'core.pager', 'x'])
  expect((await projectAt(folder, place)).git.reads).toContain('core.pager')
})
