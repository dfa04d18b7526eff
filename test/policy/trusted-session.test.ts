import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeNow } from '../../src/server/policy/judge-now.ts'
import type { ApprovalMode } from '../../src/protocol/events/approval-mode.ts'
import { plainShell } from '../support/plain-shell.ts'
import { tempFolder } from '../support/temp.ts'

let temp: Awaited<ReturnType<typeof tempFolder>>
let workspace: string

beforeAll(async () => {
  temp = await tempFolder()
  workspace = join(temp.path, 'shop')
  const put = (path: string, text = 'text\n') => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  execFileSync('git', ['init', '-q', workspace])
  for (const path of ['src/a.ts', 'src/b.ts', 'docs/n.md', 'hot/.npmrc', 'odd/a b.ts']) put(path)
  put('package.json', '{"scripts":{"test":"true"},"devDependencies":{"prettier":"1"}}')
  put('node_modules/.bin/prettier')
  execFileSync('git', ['-C', workspace, 'add', 'src', 'docs', 'package.json'])
  put('untracked.txt')
  put('empty.txt', '')
  put('tpl/.git/config')
  mkdirSync(join(temp.path, 'elsewhere'))
  symlinkSync(join(temp.path, 'elsewhere'), join(workspace, 'out'))
  symlinkSync(join(temp.path, 'gone'), join(workspace, 'dangling'))
  symlinkSync(join(temp.path, '.ssh/id_rsa'), join(workspace, 'src/key'))
  mkdirSync(join(temp.path, '.ssh'))
  writeFileSync(join(temp.path, '.ssh/id_rsa'), 'secret')
})

afterAll(() => temp.remove())

const facts = (approval: ApprovalMode) => ({
  approval,
  workspace,
  cwd: workspace,
  shell: 'bash' as const,
  home: temp.path,
  isTrusted: true,
})
const verdictOf = (command: string, approval: ApprovalMode = 'trusted-session') =>
  judgeNow(command.replaceAll('OUT', temp.path), facts(approval), async () => plainShell())

test.each([
  'echo x > new.txt',
  'echo x > src/a.ts',
  'echo x >> untracked.txt',
  'echo x > empty.txt',
  'echo x | tee -a docs/n.md',
  "cat > src/new.ts <<'EOF'\nexport {}\nEOF",
  "sed -i 's/a/b/' src/a.ts",
  "sed -i '1i // first' src/a.ts src/b.ts",
  'for f in src/a.ts src/b.ts; do sed -i "s/x/y/" "$f"; done',
  'mkdir -p src/deep && cp src/a.ts src/deep/',
  'cp src/a.ts src/b.ts docs/',
  'mv src/a.ts src/c.ts',
  'mv docs papers',
  'cp -r docs papers',
  'cd src && echo x > d.ts',
  'npx prettier --write src/a.ts',
  "grep -rl text src | xargs sed -i 's/text/word/g'",
  'git mv src/a.ts src/c.ts',
  'git stash && git switch main && git stash pop',
  'git merge --no-ff topic -m merged',
  'git tag v1',
  'git branch topic',
  'git commit --amend --no-edit',
  "git apply <<'EOF'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-text\n+word\nEOF",
])('[APP72] in Trust this session %j runs unasked, and asks by default', async (command) => {
  expect(await verdictOf(command)).toMatchObject({ decision: 'allow', grade: 'changes' })
  expect((await verdictOf(command, 'guarded')).decision).toBe('ask')
})

test.each([
  // hard to undo
  ['echo x > untracked.txt', 'git does not have'],
  ['cp src/a.ts untracked.txt', 'git does not have'],
  ['mv src/a.ts untracked.txt', 'git does not have'],
  ["sed -i 's/a/b/' untracked.txt", 'git does not have'],
  ['rm src/a.ts', 'deletes'],
  ['git stash drop', 'throws away'],
  ['git switch -f main', 'changes the repository'],
  ['git restore src/a.ts', 'throw away'],
  ['git reset HEAD~2', 'moves the branch'],
  ['git rm src/a.ts', 'changes the repository'],
  // outside, also by a link
  ['echo x > ../y', 'outside'],
  ['echo x > out/y', 'outside'],
  ['echo x > dangling', 'outside'],
  ['cp src/a.ts out', 'outside'],
  ['cp src/a.ts out/a.ts', 'outside'],
  ['mv src/a.ts OUT/elsewhere/', 'outside'],
  ["sed -i 's/a/b/' dangling", 'outside'],
  ['ln -s OUT/.ssh x && cat x/id_rsa', 'links'],
  ['install src/a.ts OUT/elsewhere/x', 'copies'],
  ['git worktree add ../other', 'changes the repository'],
  ['git init OUT/elsewhere', 'changes the repository'],
  // a link under another name, and files that are others by then
  ['mv src/key x && cat x', 'outside'],
  ['cp -r src/key x', 'secret'],
  ['mv src x && cat x/key', 'puts other files'],
  ['cp -r src x && cat x/key', 'puts other files'],
  ['git switch topic && cat notes', 'puts other files'],
  ['git stash pop && npm test', 'puts other files'],
  ['cp -r tpl/. .', 'among other files'],
  ['cp -r src docs && cp -r src docs', 'puts other files'],
  // code that nobody can read
  ["sed -i 's/a/b/e' src/a.ts", 'sed script'],
  ["sed -i '1e id' src/a.ts", 'sed script'],
  ["sed -i 'w OUT/x' src/a.ts", 'sed script'],
  ['sed -i -f x.sed src/a.ts', 'sed'],
  ["sed -ie 's/a/b/' src/a.ts", 'sed'],
  ["grep -rl text hot | xargs sed -i 's/a/b/'", '.npmrc'],
  ["grep -rl text odd | xargs sed -i 's/a/b/'", 'odd'],
  ["grep -rl text . | xargs sed -i 's/a/b/'", 'elsewhere'],
  ["grep -Rl text src | xargs sed -i 's/a/b/'", 'nobody knows'],
  ["grep -rl text src | xargs sed -i 's/a/b/e'", 'sed script'],
  ['patch -p1 < x.patch', 'patch'],
  ['git apply x.patch', 'changes the repository'],
  [
    "git apply <<'EOF'\n--- a/.github/w.yml\n+++ b/.github/w.yml\n@@ -1 +1 @@\n-a\n+b\nEOF",
    'steers',
  ],
  [
    "git apply <<'EOF'\ndiff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc\nEOF",
    'patch',
  ],
  ['git merge topic', 'editor'],
  ['npx prettier --write --plugin ./x.js src', 'prettier'],
  // others
  ['cat .env', 'secret'],
  ['echo x > .env', 'steers'],
  ['sudo touch x', 'as root'],
  ['echo x > y & ', 'background'],
  ['git config core.pager x', 'configuration'],
])('[APP72] in Trust this session %j still asks: %s', async (command, why) => {
  const { decision, reasons } = await verdictOf(command)
  expect({ decision, reasons: reasons.join('; ') }).toEqual({
    decision: 'ask',
    reasons: expect.stringContaining(why),
  })
})

test.each(
  '.git/hooks/pre-commit .git/config .tandem/x .vscode/tasks.json .idea/x.xml .husky/pre-commit .github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml AGENTS.md docs/CLAUDE.md .claude/settings.json .cursor/mcp.json .cursorrules .mcp.json .envrc .direnv/x .npmrc .yarnrc.yml .pnpmfile.cjs .cargo/config.toml pip.conf .gitattributes .gitmodules .pre-commit-config.yaml .bashrc .tool-versions node_modules/x/index.js .venv/bin/x Jenkinsfile .Git/config'.split(
    ' ',
  ),
)('[APP72] %s is never written unasked, by whatever program', async (path) => {
  for (const command of [
    `echo x > ${path}`,
    `echo x >> ${path}`,
    `echo x | tee ${path}`,
    `cp src/a.ts ${path}`,
    `mv src/a.ts ${path}`,
    `sed -i 's/a/b/' ${path}`,
    `mkdir -p ${path}`,
    `git mv src/a.ts ${path}`,
  ])
    expect([command, (await verdictOf(command)).decision]).toEqual([command, 'ask'])
})

test('[APP72] a patch that nothing comes before is judged as it is alone, whatever it stands in', async () => {
  const patch = "git apply <<'EOF'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-text\n+word\nEOF"
  expect((await verdictOf(`true && ${patch}`)).decision).toBe('allow')
  expect((await verdictOf(`git stash && ${patch}`)).decision).toBe('ask')
  expect((await verdictOf(`echo x > src/b.ts && ${patch}`)).decision).toBe('ask')
})
