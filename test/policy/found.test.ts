// needs: zsh
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { judgeNow } from '../../src/server/policy/judge-now.ts'
import type { Facts } from '../../src/session/policy/facts.ts'
import { plainShell } from '../support/plain-shell.ts'
import { tempFolder } from '../support/temp.ts'

let temp: Awaited<ReturnType<typeof tempFolder>>
let facts: Omit<Facts, 'files' | 'live'>

beforeEach(async () => {
  temp = await tempFolder()
  const workspace = join(temp.path, 'shop')
  mkdirSync(join(workspace, 'docs'), { recursive: true })
  execFileSync('git', ['init', '-q', workspace])
  facts = {
    approval: 'guarded',
    workspace,
    cwd: workspace,
    shell: 'bash',
    home: temp.path,
    isTrusted: true,
  }
  write('README.md')
})
afterEach(() => temp.remove())

const at = (path: string) => join(facts.workspace, path)
function write(path: string, text = 'x\n'): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const decide = async (command: string, more: Partial<Facts> = {}) =>
  (await judgeNow(command, { ...facts, ...more }, async () => plainShell())).decision
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-C', at(folder), ...args])

test('[APP8] what is made through a link is made where the link leads, also where nothing is yet', async () => {
  symlinkSync(temp.path, at('out'))
  symlinkSync(join(temp.path, 'nothing'), at('dangling'))
  for (const command of ['mkdir -p out/a/b', 'touch dangling', 'touch out/new'])
    expect([command, await decide(command)]).toEqual([command, 'ask'])
  expect(await decide('echo x > dangling', { approval: 'trusted-session' })).toBe('ask')
  expect(await decide('mkdir -p new/a/b && touch new/a/b/c')).toBe('allow')
})

test('[APP8] after a part that may have been left out, the shell may be in either folder', async () => {
  write('server.pem')
  expect(await decide('true || cd docs && cat *')).toBe('ask')
  expect(await decide('cd docs && cat *')).toBe('allow')
})

test('[APP8] two stars mean no fewer files than one', async () => {
  write('server.pem')
  expect(await decide('cat **')).toBe('ask')
  expect(await decide('cat **/*', { shell: 'zsh' })).toBe('ask')
  expect(await decide('cat **/*.md', { shell: 'zsh' })).toBe('allow')
})

test('[APP8] out of a link, two dots lead to the folder of the link or of what it means', async () => {
  write('deep/in/x.md')
  write('server.pem')
  symlinkSync('deep/in', at('link'))
  expect(await decide('cd link && cd .. && cat *')).toBe('ask')
  expect(await decide('cd deep/in && cd .. && cat in/*')).toBe('allow')
})

test('[APP8] a file whose name is an option, and one that never ends, are not read', async () => {
  write('-f')
  expect(await decide('tail *')).toBe('ask')
  rmSync(at('-f'))
  expect(await decide('tail *.md')).toBe('allow')
  execFileSync('mkfifo', [at('pipe')])
  expect(await decide('cat pipe')).toBe('ask')
})

test('[APP8] git is not asked where a repository that nobody looked at would be obeyed', async () => {
  expect(await decide('git status')).toBe('allow')
  git('.', 'init', '-q', '--bare', 'bare')
  expect(await decide('cd bare && git status')).toBe('ask')
  const config = '[core]\n\tx = a \\\n[y]\n\tfsmonitor = planted\n'
  writeFileSync(at('.git/config'), config)
  expect(await decide('git status')).toBe('ask')
  writeFileSync(at('.git/config'), '[remote "o"]\n\tpromisor = true\n')
  expect(await decide('git log -p')).toBe('ask')
  writeFileSync(at('.git/config'), '[core]\n\tbare = false\n')
  expect(await decide('git status')).toBe('allow')
  writeFileSync(at('.git/commondir'), '../docs\n')
  expect(await decide('git status')).toBe('ask')
})

test('[APP8] the settings of a submodule count, since git runs in it', async () => {
  git('.', 'init', '-q', 'sub')
  git('sub', 'commit', '-q', '--allow-empty', '-m', 'x')
  git('.', 'add', 'README.md', 'sub')
  expect(await decide('git status')).toBe('allow')
  git('sub', 'config', 'core.fsmonitor', 'planted')
  expect(await decide('git status')).toBe('ask')
})

test('[APP8] a version that the folder decides on asks where nobody trusts the folder', async () => {
  expect(await decide('yarn --version', { isTrusted: false })).toBe('ask')
  expect(await decide('cargo --version', { isTrusted: false })).toBe('ask')
  expect(await decide('node --version', { isTrusted: false })).toBe('allow')
  expect(await decide('cargo --version')).toBe('allow')
})

test('[APP8] a tool that is declared but not installed would come from the network', async () => {
  write('package.json', '{"devDependencies":{"eslint":"9"}}')
  expect(await decide('npx eslint docs')).toBe('ask')
  write('node_modules/.bin/eslint')
  expect(await decide('npx eslint docs')).toBe('allow')
})

test('[APP8] zsh reads subscripts, sums and lonely redirections in ways of its own', async () => {
  for (const command of ['< README.md', '> /dev/null', 'echo "$?[y=7]"', "printf '%d' y=7"])
    expect([command, await decide(command, { shell: 'zsh' })]).toEqual([command, 'ask'])
  expect(await decide("printf '%s\\n' a", { shell: 'zsh' })).toBe('allow')
})

test('[APP8] found in the list of all that is allowed: what asks a network, loads code of the folder, or changes a file', async () => {
  for (const command of [
    'az --version',
    'gh --version',
    'terraform version',
    'npm ls --prefix',
    'npm ls --script-shell',
    'touch README.md',
    'tee',
  ])
    expect([command, await decide(command)]).toEqual([command, 'ask'])
  for (const command of ['latexmk --version', 'go env GOPATH'])
    expect([command, await decide(command, { isTrusted: false })]).toEqual([command, 'ask'])
  for (const command of [
    'npm ls --all --global --long',
    'npm list --depth 0',
    'go env GOPATH',
    'ls | tee',
    'touch new',
    'mkdir -p docs',
  ])
    expect([command, await decide(command)]).toEqual([command, 'allow'])
})

test('[APP8] a search that may meet a secret shows no line of it, whatever way its pattern is written', async () => {
  write('.env', 'SECRET=x\n')
  for (const pattern of [
    "-E '(abc)?'",
    "-E '(abc){0}'",
    String.raw`'abc\{0\}'`,
    String.raw`'\(abc\)*'`,
    "-P '(?#foo)'",
    "-P '(?!abc)'",
    "'S[E]CRET'",
    "'p.ssword'",
    "-E 'SEC(R)ET'",
    "-E 'SECR?ET'",
    'DB_PASS',
    "'API.KE.'",
    '-99 foo',
    '-3 foo',
    '-A1 foo',
    '-z foo',
  ])
    expect([pattern, await decide(`grep -rh ${pattern} .`)]).toEqual([pattern, 'ask'])
  expect(await decide("git grep --untracked -hE '(abc)?'")).toBe('ask')
  for (const command of [
    'grep -rn TODO .',
    "grep -rnE 'TODO|FIXME' .",
    String.raw`rg 'router\.(get|post)'`,
    'grep -rn -3 foo docs',
    'grep -rl -3 foo .',
    "grep -rn 'eval(' .",
    "grep -rnE '(abc)?' docs",
  ])
    expect([command, await decide(command)]).toEqual([command, 'allow'])
})

test('[APP8] found by reading: variables that are shown or guessed, loops without an end, and codes', async () => {
  for (const command of [
    `awk -v x="$AWS_KEY" 'BEGIN{print x}'`,
    `awk -F "$AWS_KEY" '{print FS}' README.md`,
    'yq -o "$K" . README.md',
    'case "$K" in a*) echo y;; esac',
    'case abc in "$K"*) echo y;; esac',
    "awk 'BEGIN{for(i=int(1);;)x++}'",
    "jq -n 'range(0;1000000000000)'",
    "jq -n 'last(range(0;1;0))'",
    "jq -n '[range(999999)|range(999999)]|length'",
    String.raw`stat --printf='\033]0;x\a' README.md`,
    String.raw`awk 'BEGIN{printf "\033]52;c;x\007"}'`,
    `awk 'BEGIN{printf "%c]52;c;x%c",27,7}'`,
    String.raw`jq -nr '"\u001b]52;c;x\u0007"'`,
    'ip l a',
  ])
    expect([command, await decide(command)]).toEqual([command, 'ask'])
  for (const command of [
    `awk -F: -v n=3 '{print $n}' README.md`,
    'case "$SHELL" in */bash) echo bash;; *) echo other;; esac',
    'case x in [yY]*|?) echo y;; esac',
    "awk '{a[$1]++} END {for (k in a) print k, a[k]}' README.md",
    "jq '[range(0; length)]' README.md",
    "jq -n '[range(0;10;2)]'",
    String.raw`stat --printf='%n\t%s\n' README.md`,
    String.raw`awk '{printf "%s\t%d\n", $1, $2; gsub(/\r/, "")}' README.md`,
    String.raw`jq -r '.a | "\(.b)\t\(.c)\n"' README.md`,
    'ip a',
    'ip -br addr',
    'ip route show',
  ])
    expect([command, await decide(command)]).toEqual([command, 'allow'])
})

test('[APP8] also in a session that is trusted, folders elsewhere are not searched or copied whole', async () => {
  write('.env', 'SECRET=x\n')
  const approval = 'trusted-session'
  for (const command of [
    "find . -type f -exec grep -h '' {} +",
    'find ~ -type f -exec grep -h foo {} +',
    "find / -name 'sha*' -exec grep -h '' {} +",
    'find -L . -type f -exec grep -h foo {} +',
    'cp -r ~ cfg',
    'cp -r /etc/ssl cfg',
  ])
    expect([command, await decide(command, { approval })]).toEqual([command, 'ask'])
  for (const command of [
    "find docs -name '*.md' -exec grep -l foo {} +",
    "find . -name '*.md' -exec grep -n TODO {} +",
    'cp -r docs texts',
    'cp README.md docs/x.md',
  ])
    expect([command, await decide(command, { approval })]).toEqual([command, 'allow'])
})
