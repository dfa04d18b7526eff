import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainFacts, plainShell } from '../../../../test/support/plain-shell.ts'
import type { Rule, RuleDraft } from '../../../protocol/events/rule.ts'
import type { Facts, FileFact } from '../facts.ts'
import { judge } from '../verdict.ts'
import { coversCommand, isSound, written } from './rule.ts'

const git = { reads: null, records: null, remotes: null }
const facts: Facts = {
  ...plainFacts,
  files: new Map<string, FileFact>([
    ['/project', { real: '/project', kind: 'folder', project: { tasks: [], git } }],
    ...['a', 'b', 'dist', 'x'].map((name): [string, FileFact] => {
      const path = `/project/${name}`
      return [path, { real: path, kind: 'file', isKept: true }]
    }),
  ]),
}

const offerOf = (command: string, more: Partial<Facts> = {}) =>
  judge(command, { ...facts, ...more }).offer

function ruleOf(command: string, more: Partial<Facts> = {}): Rule {
  const draft = offerOf(command, more)
  if (draft === null) throw new Error(`no rule is offered for ${command}`)
  return { ...draft, id: 'rule-00000001', scope: 'session', by: { kind: 'user' }, at: 1 }
}

const decide = (command: string, rules: readonly Rule[], more: Partial<Facts> = {}) =>
  judge(command, { ...facts, rules, ...more }).decision

test.each([
  ['npm install', 'exactly `npm install`, in this folder'],
  ['npm install left-pad', 'exactly `npm install left-pad`, in this folder'],
  ['timeout 60 npm ci', 'exactly `npm ci`, in this folder'],
  ['CI=1 npm ci 2>&1 | tail -5', 'exactly `npm ci`, in this folder'],
  [
    'ls && prettier --write "my file.md"',
    "exactly `prettier --write 'my file.md'`, in this folder",
  ],
  ['mv a b', 'exactly `mv a b`, in this folder'],
  ['gh pr view 12', '`gh pr view` with any plain names, in this folder'],
  ['gh pr view 12 --comments', 'exactly `gh pr view 12 --comments`, in this folder'],
  ['kubectl get pods', '`kubectl get` with any plain names, in this folder'],
])('[APP70] %j asks, and its one asking part is offered as a rule: %s', (command, words) => {
  const rule = ruleOf(command)
  expect(rule.words).toBe(words)
  expect(isSound(rule)).toBe(true)
  expect(judge(command, { ...facts, rules: [rule] })).toMatchObject({
    decision: 'allow',
    rules: [rule.id],
    reasons: expect.arrayContaining([`a rule: ${words}`]),
  })
})

/** A line each: no part of its own, other code, git, deletion, other machines, what is not known, settings. */
const unruled = String.raw`
prettier  ##  prettier a; eslint b  ##  npm ci && npm install  ##  mv a b && mv b a  ##  mv a b > log  ##  mv a b &
python3 x.py  ##  python3.12 -m x  ##  node x.js  ##  sh x.sh  ##  bash -c "mv a b"  ##  env mv  ##  sudo mv a b
npm run x  ##  npm exec x  ##  npm x  ##  yarn build  ##  make x  ##  just x  ##  npx cowsay  ##  docker ps  ##  exec ls
xargs mv  ##  find . -exec mv a b  ##  command mv a b  ##  nohup mv a b  ##  ./x.sh y  ##  /bin/mv a b  ##  eval ls
git push origin main  ##  git merge x  ##  rm a  ##  kill 1  ##  ssh box ls  ##  curl example.org  ##  wget x
kubectl delete pod x  ##  gh pr merge 1  ##  aws s3 rm x  ##  gh repo delete --yes  ##  chmod +x a  ##  kubectl get secrets > x
mv a $X  ##  mv a "$(cat b)"  ##  mv * b  ##  echo x | npm ci  ##  npm ci < a  ##  echo x | npm ci <&0  ##  prettier <(ls)
for f in a b; do mv $f x; done  ##  FOO=1 npm ci  ##  source a  ##  gawk -i inplace 1 a  ##  sqlite3 db x
tandem stop now  ##  cat .env  ##  export A=1  ##  cp a /etc/x  ##  vim a  ##  history -c  ##  mv a .git/config
`
  .trim()
  .split(/\n|  ##  /)

test.each([...unruled, 'mv a "x\ny"'])('[APP70] %j asks, and no rule is offered', (command) => {
  expect(judge(command, facts)).toMatchObject({ decision: 'ask', offer: null })
})

test('[APP70] a name that may be a secret, an option or an address is covered by no rule for names', () => {
  const [view, get] = [ruleOf('gh pr view 12'), ruleOf('kubectl get pods')]
  for (const command of ['gh pr view 13', 'gh pr view my-branch'])
    expect([command, decide(command, [view])]).toEqual([command, 'allow'])
  for (const command of [
    'gh pr view',
    'gh pr view 13 --web',
    'gh pr view https://evil.example/x',
    'gh pr merge 13',
    'gh issue view 13',
  ])
    expect([command, decide(command, [view])]).toEqual([command, 'ask'])
  for (const command of ['kubectl get secrets', 'kubectl get secret x', 'kubectl get -o yaml'])
    expect([command, decide(command, [get])]).toEqual([command, 'ask'])
})

test('[APP70] a rule counts in its own workspace and folder, in no stricter mode, and not in another shell', () => {
  const rules = [ruleOf('npm ci')]
  expect(decide('npm ci', rules)).toBe('allow')
  expect(decide('npm ci', rules, { approval: 'trusted-session' })).toBe('allow')
  expect(decide('npm ci', rules, { cwd: '/project/sub' })).toBe('ask')
  expect(decide('cd sub && npm ci', rules)).toBe('ask')
  expect(decide('npm ci', rules, { workspace: '/', cwd: '/project' })).toBe('ask')
  expect(decide('npm ci', rules, { cwd: '/' })).toBe('ask')
  expect(decide('npm ci', rules, { approval: 'ask-all' })).toBe('ask')
  expect(decide('npm ci', rules, { approval: 'refuse' })).toBe('deny')
  expect(decide('npm ci', rules, { shell: 'fish' })).toBe('ask')
  expect(decide('npm ci', rules, { adopted: 'ssh box' })).toBe('ask')
  expect(decide('npm ci', rules, { live: null })).toBe('ask')
  const functions = new Set(['npm'])
  expect(decide('npm ci', rules, { live: plainShell({ functions }) })).toBe('ask')
  const traps = { text: "trap -- 'rm x' DEBUG\n", names: new Set(['DEBUG']) }
  expect(decide('npm ci', rules, { live: plainShell({ traps }) })).toBe('ask')
})

test('[APP70] a rule counts only for the kinds that it was made for: the same words may do more by now', () => {
  const rules = [ruleOf('mv a b')]
  expect(decide('mv a b', rules)).toBe('allow')
  const files = new Map(facts.files).set('/project/b', { real: '/etc/b', kind: 'file' })
  expect(decide('mv a b', rules, { files })).toBe('ask')
})

test('[APP70] a rule that fails its examples is not sound: it covers too much, or not what it says', () => {
  const rule = ruleOf('npm ci')
  const broken: readonly Partial<RuleDraft>[] = [
    { args: [] },
    { args: ['install'] },
    { matches: [] },
    { matches: ['npm ci; rm x'] },
    { misses: ['npm ci'] },
    { misses: [`'npm' "ci"`] },
    { program: 'sh' },
    { program: 'git', args: ['push'], matches: ['git push'] },
    { cwd: '/elsewhere' },
  ]
  expect(broken.filter((change) => isSound({ ...rule, ...change }))).toEqual([])
})

const offered = ['npm ci', 'npm install x', 'prettier --write a', 'mv a b', 'gh pr view 12']
const others = [
  'rm a',
  'curl example.org',
  'npm run x',
  'python3 x.py',
  'mv b a',
  'npm ci --force',
  'prettier --write b',
  'gh pr merge 12',
  'unknown x',
  'cat .env',
]
const joints = ['; ', ' && ', ' || ', ' | ', '\n', ' & ']

test('[APP70] ∀ rule: a compound of which another part asks does not run', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...offered),
      fc.constantFrom(...others),
      fc.constantFrom(...joints),
      fc.boolean(),
      (ruled, other, joint, isFirst) => {
        const command = (isFirst ? [ruled, other] : [other, ruled]).join(joint)
        const rules = [ruleOf(ruled)]
        expect([command, decide(command, rules)]).toEqual([command, 'ask'])
        expect(coversCommand(rules[0]!, command)).toBe(false)
      },
    ),
  )
})

const word = fc.constantFrom('a', 'b', '-f', '--write', '--force', 'ci', 'install', 'x', '12', ' ')

test('[APP70] ∀ rule: no other program and no other words are covered', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('npm ci', 'npm install x', 'prettier --write a', 'mv a b'),
      fc.constantFrom('npm', 'prettier', 'mv', 'cp', 'unknown', 'eslint'),
      fc.array(word, { maxLength: 4 }),
      (ruled, program, args) => {
        const command = written([program, ...args])
        fc.pre(command !== ruled)
        const rules = [ruleOf(ruled)]
        expect(judge(command, { ...facts, rules })).toEqual(judge(command, facts))
      },
    ),
  )
})

/** Ways to write the same. */
const rewrites: readonly ((command: string) => string)[] = [
  (command) => command.replaceAll(' ', '   '),
  (command) => command.replaceAll(' ', ' \\\n '),
  (command) => command.replaceAll(/\S+/g, (each) => `'${each}'`),
  (command) => command.replaceAll(/\S+/g, (each) => `"${each}"`),
  (command) => command.replace(/^(.)(.*)$/, String.raw`\$1''$2`),
  (command) => `{ ${command}; }`,
  (command) => `(${command})`,
  (command) => `true && ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `${command} 2>&1`,
]

test('[APP70] ∀ rule: rewriting a command changes nothing about what covers it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...offered),
      fc.constantFrom(...offered, ...others),
      fc.constantFrom(...rewrites),
      (ruled, command, rewrite) => {
        const rules = [ruleOf(ruled)]
        const plain = judge(command, { ...facts, rules })
        const rewritten = judge(rewrite(command), { ...facts, rules })
        expect([rewrite(command), rewritten.decision, rewritten.rules]).toEqual([
          rewrite(command),
          plain.decision,
          plain.rules,
        ])
      },
    ),
  )
})

test('[APP70] ∀ command that is hard to undo: no rule changes its verdict, and none is offered', () => {
  const grave = ['rm a', 'git push --force', 'git reset --hard', 'kill 1', 'sudo ls', 'dd of=x']
  fc.assert(
    fc.property(
      fc.constantFrom(...grave),
      fc.option(fc.constantFrom(...offered), { nil: null }),
      fc.constantFrom(...joints),
      (destroys, beside, joint) => {
        const command = beside === null ? destroys : `${beside}${joint}${destroys}`
        const rules = offered.map((each) => ruleOf(each))
        // Also one that says it covers just this.
        const [program = '', ...args] = destroys.split(' ')
        const bold = { ...rules[0]!, program, args, matches: [destroys] }
        const verdict = judge(command, { ...facts, rules: [...rules, bold] })
        expect(verdict).toEqual(judge(command, facts))
        expect(verdict).toMatchObject({ grade: 'destroys', offer: null })
      },
    ),
  )
})
