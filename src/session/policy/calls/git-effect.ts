import { effect, type Effect } from '../effect.ts'

/** The words of a git command that change what it does. */
interface GitWords {
  names: readonly string[]
  has(...flags: readonly string[]): boolean
  /** Every option is one of these, spelled out: git also takes beginnings of others. */
  only(flags: RegExp): boolean
}

const effects: Readonly<Record<string, (words: GitWords) => Effect>> = {
  push: pushEffect,
  pull: () => effect('network', 'gets commits over the network and merges them'),
  fetch: () => effect('network', 'gets commits over the network'),
  clone: () => effect('network', 'gets a repository over the network'),
  'ls-remote': () => effect('network', 'asks a remote over the network'),
  reset: resetEffect,
  clean: ({ only, has }) =>
    only(/^(?:-[ndxX]+|--dry-run)$/) && (has('--dry-run') || !only(/^-[dxX]+$/))
      ? effect('inspect', 'lists files that git does not know')
      : effect('destroy', 'deletes files that git does not know'),
  restore: () => effect('destroy', 'may throw away changes that are not committed'),
  checkout: () => effect('destroy', 'may throw away changes that are not committed'),
  commit: ({ has }) =>
    has('--amend', '--fixup', '--squash', '--reset-author')
      ? effect('destroy', 'rewrites the last commit')
      : effect('terminal', 'commits with options that may open an editor or run programs'),
  rebase: () => effect('destroy', 'rewrites commits'),
  'filter-branch': () => effect('destroy', 'rewrites commits'),
  branch: (words) => labelEffect('branch', words),
  tag: (words) => labelEffect('tag', words),
  stash: ({ names }) =>
    names[0] === 'drop' || names[0] === 'clear'
      ? effect('destroy', 'throws away what was stashed')
      : effect('unclear', 'moves changes to or from the stash'),
  gc: () => effect('destroy', 'removes commits that nothing points to'),
  prune: () => effect('destroy', 'removes commits that nothing points to'),
  'update-ref': () => effect('destroy', 'moves or deletes a branch'),
  reflog: () => effect('destroy', 'removes commits that nothing points to'),
  config: () => effect('settings', 'reads or changes the configuration of git'),
}
const changing = new Set(
  'merge cherry-pick revert am apply mv rm init worktree notes switch add'.split(' '),
)

/** The effect of the rest of git, for a person. */
export function gitEffect(words: readonly string[]): Effect {
  const [verb = '', ...rest] = words
  const known = Object.hasOwn(effects, verb) ? effects[verb] : undefined
  if (known !== undefined)
    return known({
      names: rest.filter((word) => !word.startsWith('-')),
      has: (...flags) =>
        rest.some((word) => flags.some((flag) => word === flag || word.startsWith(`${flag}=`))),
      only: (flags) =>
        rest.every((word) => word !== '' && (/^[^-]/.test(word) || flags.test(word))),
    })
  return changing.has(verb)
    ? effect('unclear', `changes the repository with git ${verb}`)
    : effect('code', `runs git ${verb}, which may do anything`)
}

function pushEffect({ names, has }: GitWords): Effect {
  const [where = 'its remote', ...branches] = names
  const what = branches.join(', ')
  if (
    has('-f', '--force', '--force-with-lease', '--mirror') ||
    names.some((name) => name.startsWith('+'))
  )
    return effect('destroy', `rewrites ${what || 'the branch'} on ${where}`)
  if (has('-d', '--delete', '--prune') || names.some((name) => name.startsWith(':')))
    return effect('destroy', `deletes ${what} on ${where}`)
  return effect('network', `publishes commits to ${where}`)
}

function resetEffect({ names, only }: GitWords): Effect {
  if (!only(/^(?:--soft|--mixed|-q|--quiet|-N|--)$/))
    return effect('destroy', 'throws away changes that are not committed')
  return names.length === 0 || names[0] === 'HEAD'
    ? effect('alters', 'takes files out of the next commit')
    : effect('alters', 'moves the branch to another commit')
}

function labelEffect(label: string, { names, has, only }: GitWords): Effect {
  if (label === 'branch' && names.length > 0 && has('-d', '--delete') && only(/^(?:-d|--delete)$/))
    return effect('alters', `deletes ${names.join(', ')}, if it is merged`)
  return has('-d', '-D', '--delete', '-f', '--force', '-M')
    ? effect('destroy', `deletes or moves a ${label}`)
    : effect('unclear', `makes or changes a ${label}`)
}
