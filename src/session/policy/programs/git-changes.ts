import type { GitCall } from './git-verbs.ts'
import { spec, type Spec } from './spec.ts'

const message = '-m=text --message=text'

/** Verbs that change the work tree or the repository in a way that git can take back. */
const changing: Readonly<Record<string, Spec>> = {
  stash: spec({ flags: '-q -k -u --quiet --keep-index', operands: 'none', isTame: false }),
  'stash push': spec({
    flags: '-q -k -u --quiet --keep-index',
    values: message,
    operands: 'texts',
    isTame: false,
  }),
  'stash pop': spec({ flags: '-q --quiet --index', operands: { most: 1 }, isTame: false }),
  'stash apply': spec({ flags: '-q --quiet --index', operands: { most: 1 }, isTame: false }),
  merge: spec({
    flags: '-q --quiet --no-ff --ff-only --no-edit',
    values: message,
    operands: { most: 1 },
    isTame: false,
  }),
  'cherry-pick': spec({ flags: '-x -n --no-commit', operands: { most: 1 }, isTame: false }),
  'revert --no-edit': spec({ flags: '-n --no-commit', operands: { most: 1 }, isTame: false }),
  mv: spec({ flags: '-v -k', operands: 'texts', isTame: false }),
  apply: spec({ flags: '-v --verbose', operands: 'none', isTame: false }),
  'restore --staged': spec({ operands: 'texts', isTame: false }),
  'commit --amend': spec({
    flags: '-a -q --all --quiet --no-edit',
    values: message,
    operands: 'none',
    isTame: false,
  }),
  tag: spec({ operands: { most: 2 }, isTame: false }),
  'tag -a': spec({ values: message, operands: { most: 2 }, isTame: false }),
  branch: spec({ operands: { most: 2 }, isTame: false }),
}

/** Verbs after which the files of the work tree may be others. */
export const shifting = /^(?:stash|merge|cherry-pick|revert|apply|switch)\b/

/** A change of the repository; null when it is none of the list. */
export function changeOf([verb = '', second = '']: readonly string[]): GitCall | null {
  const pair = changing[`${verb} ${second}`]
  if (pair !== undefined) return { spec: pair, verb: `${verb} ${second}`, words: 2, kind: 'write' }
  // A name makes one; options alone list them.
  const isMeant =
    verb === 'tag' || verb === 'branch'
      ? /^[^-]/.test(second)
      : changing[verb]?.operands !== 'none' || /^(?:-|$)/.test(second)
  const single = isMeant ? changing[verb] : undefined
  return single === undefined ? null : { spec: single, verb, words: 1, kind: 'write' }
}
