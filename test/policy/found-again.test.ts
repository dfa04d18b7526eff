// needs: zsh
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { judgeNow } from '../../src/server/policy/judge-now.ts'
import type { Facts } from '../../src/session/policy/facts.ts'
import { plainShell } from '../support/plain-shell.ts'
import { tempFolder } from '../support/temp.ts'

interface Row {
  command: string
  rule: 'allow' | 'ask'
  shell?: 'bash' | 'zsh'
  /** The mode, where it is not the default. */
  mode?: 'trusted-session'
}

const file = (name: string) => readFileSync(new URL(`corpus/${name}`, import.meta.url), 'utf8')
const rows = file('found-again.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)

let temp: Awaited<ReturnType<typeof tempFolder>>
let facts: Omit<Facts, 'files' | 'live'>

beforeEach(async () => {
  temp = await tempFolder()
  const workspace = join(temp.path, 'shop')
  facts = {
    approval: 'guarded',
    workspace,
    cwd: workspace,
    shell: 'bash',
    home: temp.path,
    isTrusted: true,
  }
  for (const [path, text] of Object.entries(JSON.parse(file('workspace.json')) as object))
    write(path, String(text))
  for (const path of ['data.csv', 'data.json', 'log.txt', 'config.yml']) write(path)
  execFileSync('git', ['init', '-q', workspace])
})
afterEach(() => temp.remove())

const at = (path: string) => join(facts.workspace, path)
function write(path: string, text = 'x\n'): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const decide = async (command: string, more: Partial<Facts> = {}) =>
  (await judgeNow(command, { ...facts, ...more }, async () => plainShell())).decision

test('[APP8] what a second attacker found asks, and what stands beside it runs', async () => {
  const wrong: string[] = []
  for (const { command, rule, shell, mode = 'guarded' } of rows)
    for (const each of shell === undefined ? (['bash', 'zsh'] as const) : [shell]) {
      const decision = await decide(command, { shell: each, approval: mode })
      if (decision !== rule) wrong.push(`${decision} in ${each}: ${command}`)
    }
  expect(wrong).toEqual([])
})

test('[APP8] a file whose name is an option is no file to any program', async () => {
  expect(await decide('wc -l *')).toBe('allow')
  write('--files0-from=.env')
  for (const command of ['wc -l *', 'du -s *', 'sort *'])
    expect([command, await decide(command)]).toEqual([command, 'ask'])
})

test('[APP8] a name that xargs splits into a secret is no file of a list', async () => {
  const lists = ["find . -name '*.ts' | xargs cat", 'git ls-files | xargs grep -n token']
  for (const command of lists) expect([command, await decide(command)]).toEqual([command, 'allow'])
  write('a .env b.ts')
  for (const command of lists) expect([command, await decide(command)]).toEqual([command, 'ask'])
  expect(await decide("find . -name '*.ts' -print0 | xargs -0 cat")).toBe('allow')
  expect(await decide("find src -name '*.ts' | xargs cat")).toBe('allow')
})

test('[APP8] a link out of the workspace is no file of a task, nor of a folder that is read whole', async () => {
  write('tests/unit/a.ts')
  expect(await decide('npm test -- tests/unit/a.ts')).toBe('allow')
  expect(await decide('grep -r token docs')).toBe('allow')
  symlinkSync(temp.path, at('docs/out'))
  expect(await decide('npm test -- docs/out/a.ts')).toBe('ask')
  expect(await decide('pytest docs/out')).toBe('ask')
  expect(await decide('grep -r token docs')).toBe('ask')
})

test('[APP8] a search for any word reads a secret that it meets, one through a pipe meets none', async () => {
  expect(await decide('rg token')).toBe('allow')
  write('deploy/secrets.yml')
  expect(await decide('rg token')).toBe('ask')
  expect(await decide('rg calculateTotal')).toBe('allow')
  expect(await decide('rg -l token')).toBe('allow')
  expect(await decide('rg token docs')).toBe('allow')
  expect(await decide('cat README.md | rg token')).toBe('allow')
  expect(await decide('cat README.md | grep -r token')).toBe('ask')
})

test('[APP8] a hook of the repository is code that git would run', async () => {
  write('.git/hooks/pre-commit', '#!/bin/sh\n')
  expect(await decide('git commit -m x')).toBe('allow')
  chmodSync(at('.git/hooks/pre-commit'), 0o755)
  expect(await decide('git commit -m x')).toBe('ask')
  expect(await decide('git status')).toBe('allow')
  write('.git/hooks/post-index-change', '#!/bin/sh\n')
  chmodSync(at('.git/hooks/post-index-change'), 0o755)
  expect(await decide('git status')).toBe('ask')
})

test('[APP8] what changes the repository in a trusted session runs its hooks, too', async () => {
  const commands = [
    'git commit --amend --no-edit',
    'git merge --ff-only x',
    'git branch y',
    'git stash',
  ]
  const trusted = (command: string) => decide(command, { approval: 'trusted-session' })
  for (const command of commands)
    expect([command, await trusted(command)]).toEqual([command, 'allow'])
  write('.git/hooks/post-merge', '#!/bin/sh\n')
  chmodSync(at('.git/hooks/post-merge'), 0o755)
  for (const command of commands)
    expect([command, await trusted(command)]).toEqual([command, 'ask'])
})

test('[APP8] a letter at which some readers end a line hides no setting of git', async () => {
  for (const letter of ['\r', '\u2028', '\u2029']) {
    write('.git/config', `[core]\n\tx = a${letter}b\\\n[user]\nfsmonitor = c\n`)
    expect(await decide('git status')).toBe('ask')
  }
  write('.git/config', '[core]\r\n\tbare = false\r\n')
  expect(await decide('git status')).toBe('allow')
})

test('[APP8] a remote with a password in its address is not shown', async () => {
  write('.git/config', '[remote "o"]\n\turl = https://github.com/a/b\n')
  expect(await decide('git remote -v')).toBe('allow')
  write('.git/config', '[remote "o"]\n\turl = https://ada:not-real@example.com/b\n')
  expect(await decide('git remote -v')).toBe('ask')
  expect(await decide('git status')).toBe('allow')
})

test('[APP8] settings by which git runs a program when it records or cleans up', async () => {
  for (const config of ['[gc]\n\trecentObjectsHook = x\n', '[hook "a"]\n\tcommand = x\n']) {
    write('.git/config', config)
    expect(await decide('git commit -m x')).toBe('ask')
  }
})

test('[APP8] in a trusted session a number after `>&` is no file of the workspace', async () => {
  expect(await decide('echo x >&7', { approval: 'trusted-session' })).toBe('ask')
  expect(await decide('echo x >&2', { approval: 'trusted-session' })).toBe('allow')
})

test('[APP8] what a project of another kind declares runs, and nothing beside it', async () => {
  const kinds: readonly (readonly [file: string, text: string, runs: string, asks: string])[] = [
    ['pom.xml', '<project/>', 'mvn -q test', 'mvn test deploy'],
    ['build.gradle', '', 'gradle test', 'gradle test publish'],
    ['Gemfile', 'gem "rspec"', 'bundle exec rspec spec/a_spec.rb', 'bundle exec rspec -r ./x'],
    ['Rakefile', 'task :test', 'rake test', 'rake test deploy'],
    ['mix.exs', '', 'mix test', 'mix test --require x'],
    ['Package.swift', '', 'swift build', 'swift run'],
    ['CMakeLists.txt', '', 'cmake --build build', 'cmake --build build --target install'],
    ['shop.csproj', '', 'dotnet test', 'dotnet run'],
    ['justfile', 'test:\n\tx\n', 'just test', 'just test deploy'],
    ['setup.cfg', '[flake8]\n[isort]\n', 'flake8 src', 'flake8 --config x'],
  ]
  for (const [path, text, runs, asks] of kinds) {
    expect([runs, await decide(runs)]).toEqual([runs, 'ask'])
    write(path, text)
    expect([runs, await decide(runs)]).toEqual([runs, 'allow'])
    expect([asks, await decide(asks)]).toEqual([asks, 'ask'])
  }
})

test('[APP8] make without a word does the first thing that its file declares', async () => {
  expect(await decide('make -j4')).toBe('allow')
  write('Makefile', 'all: build deploy\nbuild:\n\tx\ndeploy:\n\tx\n')
  expect(await decide('make')).toBe('ask')
  write('Makefile', 'all: build test\nbuild:\n\tx\ntest:\n\tx\n')
  expect(await decide('make')).toBe('allow')
  write('Makefile', 'deploy:\n\tx\nbuild:\n\tx\n')
  expect(await decide('make')).toBe('ask')
})

test('[APP8] a script that watches files does not end, and asks', async () => {
  write('package.json', '{"scripts":{"test":"mocha --watch","build":"tsc -w","lint":"eslint src"}}')
  expect(await decide('npm test')).toBe('ask')
  expect(await decide('npm run build')).toBe('ask')
  expect(await decide('npm run lint')).toBe('allow')
})
