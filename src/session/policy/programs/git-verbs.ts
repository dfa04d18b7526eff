import { changeOf } from './git-changes.ts'
import { spec, type Spec } from './spec.ts'

const revisions =
  '-p -u -s -v -q -z --oneline --stat --shortstat --numstat --summary --name-only --name-status --no-patch --patch --raw --graph --all --decorate --decorate= --no-decorate --merges --no-merges --first-parent --reverse --follow --abbrev-commit --no-abbrev-commit --no-color --color --color= --word-diff --word-diff= --no-renames --no-ext-diff --no-textconv --cc --full-diff --date-order --topo-order --author-date-order --branches --tags --remotes --boundary --left-right --cherry-pick --cherry --relative-date --no-notes --minimal --patience --histogram --ignore-all-space --ignore-space-change --ignore-blank-lines -w -b --full-index --cached --staged --check --quiet --exit-code --find-renames -M -C -R --no-prefix --dirstat --compact-summary --patch-with-stat --function-context -W --indent-heuristic --walk-reflogs -g --no-walk --no-expand-tabs --pickaxe-regex --pickaxe-all --full-history --simplify-merges --ancestry-path --format= --pretty= --pretty --date= --abbrev= --stat= --unified= --diff-filter= --submodule --submodule= --merge-base --no-relative --relative --source --clear-decorations --text --binary -i -E -F -P --all-match --invert-grep --regexp-ignore-case --perl-regexp --fixed-strings --extended-regexp --count --no-commit-id -r --root -t -m --diff-merges= --ita-invisible-in-index --color-words --color-moved --find-copies --ignore-space-at-eol --ignore-cr-at-eol --left-only --right-only --show-pulls --ours --theirs --base --name-rev -B --no-color-moved --stat-width= --decorate-refs= --exclude= --remotes= --branches= --tags= --no-max-parents --min-parents= --max-parents= --find-renames= --word-diff-regex= --no-indent-heuristic --sparse --dense'
const revisionValues =
  '-n=number -U=number -S=text -G=text -L=text -l=number --max-count=number --skip=number --since=text --until=text --after=text --before=text --author=text --committer=text --grep=text --date=text --unified=number --diff-filter=text --abbrev=number --diff-algorithm=text --inter-hunk-context=number'

const reads = (more: Partial<Parameters<typeof spec>[0]> = {}): Spec =>
  spec({
    flags: revisions,
    values: revisionValues,
    operands: 'texts',
    hasCount: true,
    isTame: false,
    ...more,
  })

/** Verbs of git that only read, with exact options. */
const reading: Readonly<Record<string, Spec>> = {
  log: reads(),
  show: reads(),
  diff: reads(),
  'diff-tree': reads(),
  whatchanged: reads(),
  shortlog: reads({ flags: `${revisions} -s -n -e -sn -sne --summary --numbered --email` }),
  status: spec({
    flags:
      '-s -b -v -u -z -sb --short --branch --porcelain --porcelain= --long --untracked-files --untracked-files= --ignored --ignored= --show-stash --no-renames --ahead-behind --no-ahead-behind -uno -unormal -uall --verbose',
    operands: 'texts',
    isTame: false,
  }),
  blame: spec({
    flags: '-w -M -C -l -s -e -t -f -n -p --porcelain --line-porcelain --show-email --date= --root',
    values: '-L=text --since=text --date=text --ignore-rev=text',
    operands: 'texts',
    isTame: false,
  }),
  'rev-parse': spec({
    flags:
      '--abbrev-ref --short --short= --show-toplevel --git-dir --git-common-dir --is-inside-work-tree --is-bare-repository --verify --quiet -q --show-prefix --show-cdup --absolute-git-dir --all --branches --symbolic-full-name --is-shallow-repository --show-current',
    operands: 'texts',
    isTame: false,
  }),
  'rev-list': reads({ flags: `${revisions} --count --objects --parents --children --timestamp` }),
  'ls-files': spec({
    flags:
      '-c -d -m -o -i -s -u -z -t -k --cached --deleted --modified --others --ignored --stage --unmerged --exclude-standard --full-name --error-unmatch --deduplicate --eol',
    values: '-x=text --exclude=text',
    operands: 'texts',
    isTame: false,
  }),
  'ls-tree': spec({
    flags: '-r -d -t -l -z --name-only --name-status --full-tree --full-name --long',
    operands: 'texts',
    isTame: false,
  }),
  'cat-file': spec({ flags: '-t -s -e -p', operands: 'texts', isTame: false }),
  describe: spec({
    flags: '--tags --all --always --long --dirty --exact-match --first-parent --contains --dirty=',
    values: '--abbrev=number --match=text --exclude=text',
    operands: 'texts',
    isTame: false,
  }),
  cherry: spec({ flags: '-v', operands: { most: 3 }, isTame: false }),
  'range-diff': reads(),
  'show-branch': spec({ flags: '-a --all -r --remotes --list', operands: 'texts', isTame: false }),
  'merge-base': spec({
    flags: '-a --all --is-ancestor --fork-point --octopus',
    operands: 'texts',
    isTame: false,
  }),
  'name-rev': spec({ flags: '--tags --name-only --always', operands: 'texts', isTame: false }),
  'show-ref': spec({
    flags: '--heads --tags --verify -q -s --hash -d --dereference',
    operands: 'texts',
    isTame: false,
  }),
  'for-each-ref': spec({
    values:
      '--format=text --sort=text --count=number --points-at=text --merged=text --contains=text',
    operands: 'texts',
    isTame: false,
  }),
  'count-objects': spec({ flags: '-v -H', operands: 'none', isTame: false }),
  'check-ignore': spec({
    flags: '-v -n -q --verbose --no-index',
    operands: 'texts',
    isTame: false,
  }),
  'check-attr': spec({ flags: '-a --all --cached', operands: 'texts', isTame: false }),
  // `-O` opens a pager, which may be any program.
  grep: spec({
    flags:
      '-i -n -l -L -c -v -w -o -E -F -G -P -q -h -H -p -W -I -a -z --ignore-case --line-number --files-with-matches --count --word-regexp --fixed-strings --extended-regexp --perl-regexp --cached --untracked --name-only --heading --break --show-function --function-context --recursive --no-recursive --all-match --and --or --not --column --full-name --only-matching',
    values: '-e=text -A=number -B=number -C=number -m=number --max-depth=number',
    operands: 'texts',
    hasCount: true,
    isTame: false,
  }),
  branch: spec({
    flags:
      '-a -r -v -vv -l --all --remotes --list --show-current --verbose --no-color --ignore-case --color=',
    values:
      '--contains=text --no-contains=text --merged=text --no-merged=text --sort=text --format=text --points-at=text',
    operands: 'none',
    isTame: false,
  }),
  tag: spec({
    flags: '-l -n --list --color= --ignore-case',
    values: '--contains=text --merged=text --sort=text --format=text --points-at=text',
    operands: 'none',
    hasCount: false,
    isTame: false,
  }),
  remote: spec({ flags: '-v --verbose', operands: 'none', isTame: false }),
  reflog: reads({ operands: 'none' }),
  version: spec({ flags: '--build-options', operands: 'none', isTame: false }),
  var: spec({ operands: { most: 1 }, isTame: false }),
}

/** With a second word, what some of them do that only reads. */
const readingPairs: Readonly<Record<string, Spec>> = {
  'reflog show': reads(),
  'branch --merged': spec({ flags: '-a -r -v', operands: { most: 1 }, isTame: false }),
  'branch --no-merged': spec({ flags: '-a -r -v', operands: { most: 1 }, isTame: false }),
  'branch --contains': spec({ flags: '-a -r -v', operands: { most: 1 }, isTame: false }),
  'stash list': reads({ operands: 'none' }),
  'stash show': reads(),
  'remote show': spec({ flags: '-n', requires: '-n', operands: { most: 1 }, isTame: false }),
  'remote get-url': spec({ flags: '--all --push', operands: { most: 1 }, isTame: false }),
  'worktree list': spec({ flags: '--porcelain -v', operands: 'none', isTame: false }),
  'submodule status': spec({ flags: '--recursive --cached', operands: 'texts', isTame: false }),
  'notes list': spec({ operands: { most: 1 }, isTame: false }),
  'bisect log': spec({ operands: 'none', isTame: false }),
  'symbolic-ref HEAD': spec({ flags: '--short -q', operands: 'none', isTame: false }),
  'symbolic-ref --short': spec({ operands: { most: 1 }, isTame: false }),
}

/** Keys of the configuration that hold no secret. */
const plainKeys =
  /^(?:user\.(?:name|email)|init\.defaultBranch|core\.(?:bare|autocrlf|ignorecase|editor|pager|filemode|eol)|branch\.[\w/-]+\.(?:remote|merge)|pull\.rebase)$/

/** The key of an address, which may hold a password. */
const remoteKey = /^remote\.[\w/-]+\.(?:push)?url$/

/** Whether `git config` only shows the address of a remote. */
export function showsRemote(words: readonly string[]): boolean {
  return (
    words.length === 3 &&
    words[0] === 'config' &&
    words[1] === '--get' &&
    remoteKey.test(words[2] ?? '')
  )
}

/** Whether `git config` only shows one of them. */
export function showsConfig(words: readonly string[]): boolean {
  const rest = words
    .slice(1)
    .filter((word) => word !== '--get' && word !== '--local' && word !== '--global')
  return words[0] === 'config' && rest.length === 1 && plainKeys.test(rest[0] ?? '')
}

/** Verbs that only add to the repository. */
const adding: Readonly<Record<string, Spec>> = {
  add: spec({
    flags: '-A -u -v -n -N --all --update --verbose --dry-run --intent-to-add --ignore-errors',
    operands: 'texts',
    isTame: false,
  }),
  commit: spec({
    flags: '-a -q -v -s --all --quiet --verbose --signoff --allow-empty',
    values: '-m=text --message=text -F=file --author=text --date=text --cleanup=text',
    operands: 'texts',
    isTame: false,
  }),
  switch: spec({
    flags: '-q --quiet -',
    values: '-c=text --create=text',
    operands: { most: 2 },
    isTame: false,
  }),
}

export interface GitCall {
  spec: Spec
  verb: string
  /** The number of words that the verb takes. */
  words: number
  kind: 'read' | 'commit' | 'write'
}

/** Told to list, it takes the operands for patterns. To an old git `branch -l` is something else. */
function listing(verb: string, words: readonly string[]): Spec | null {
  const isList = words.includes('--list') || (verb === 'tag' && words.includes('-l'))
  const rules = verb === 'branch' || verb === 'tag' ? reading[verb] : undefined
  return isList && rules !== undefined ? { ...rules, operands: 'texts' } : null
}

/** The spec of what git is asked to do; null when it is not on the list. */
export function gitCall(words: readonly string[]): GitCall | null {
  const [verb = '', second = ''] = words
  const listed = listing(verb, words)
  if (listed !== null) return { spec: listed, verb, words: 1, kind: 'read' }
  const pair = readingPairs[`${verb} ${second}`]
  if (pair !== undefined) return { spec: pair, verb: `${verb} ${second}`, words: 2, kind: 'read' }
  const change = changeOf(words)
  if (change !== null) return change
  const read = reading[verb]
  if (read !== undefined) return { spec: read, verb, words: 1, kind: 'read' }
  if (verb === 'checkout' && second === '-b')
    return {
      spec: spec({ operands: { most: 2 }, isTame: false }),
      verb: 'checkout -b',
      words: 2,
      kind: 'commit',
    }
  const add = adding[verb]
  return add === undefined ? null : { spec: add, verb, words: 1, kind: 'commit' }
}
