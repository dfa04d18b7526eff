import { effect, type Effect } from '../effect.ts'
import type { GitFact } from '../facts.ts'
import { type Judging, lookAt } from '../judging.ts'
import { isWithin, joinPath, normal, repositoryAt } from '../paths.ts'
import { meansSecret, namesSecret } from '../patterns.ts'
import type { Argument } from '../syntax/argument.ts'
import type { Place } from '../syntax/place.ts'
import type { Call } from './call.ts'
import { shifting } from '../programs/git-changes.ts'
import { copies } from '../writes/copies.ts'
import { appliesPatch } from '../writes/patch.ts'
import { type GitCall, gitCall, showsConfig, showsRemote } from '../programs/git-verbs.ts'
import { gitEffect } from './git-effect.ts'
import { type CallParts, readCall } from '../programs/read-call.ts'
import { shownBy } from '../programs/search.ts'
import { isDash, judgeBySpec } from '../programs/spec.ts'

/** Git, whose every word counts; and whose repository may make a harmless one run programs. */
export function judgeGit({ judging, args, place: before }: Call): readonly Effect[] {
  const { rest, place } = withoutGlobal(judging, args, before)
  const words = rest.map((arg) => (arg.is === 'text' ? arg.text : ''))
  if (/^(?:-|$)/.test(words[0] ?? ''))
    return [effect('code', 'runs git with options that may run programs')]
  if (showsConfig(words)) return obeysSettings({ judging, place }, 'reads')
  if (showsRemote(words)) return obeysSettings({ judging, place }, 'remotes')
  const found = gitCall(
    words.length === 1 && words[0] === 'submodule' ? ['submodule', 'status'] : words,
  )
  if (found === null) return [switchesOnly(judging, words, place) ?? gitEffect(words)]
  return judgeVerb(found, rest.slice(found.words), { judging, place }) ?? [gitEffect(words)]
}

/** `git checkout main`, where no file has that name: git refuses to lose changes. Null when it may be a file. */
function switchesOnly(
  judging: Judging,
  [verb, name = '', ...more]: readonly string[],
  { cwds }: Place,
): Effect | null {
  if (verb !== 'checkout' || more.length > 0 || !/^[\w][\w./-]*$/.test(name)) return null
  const isName =
    cwds?.every((cwd) => lookAt(judging, joinPath(cwd, name))?.kind === 'none') === true
  return isName ? effect('alters', `switches to ${name}`) : null
}

/** The effects of a verb of the list; null when its arguments are not on the list. */
function judgeVerb(
  { verb, spec, kind }: GitCall,
  args: readonly Argument[],
  { judging, place }: Pick<Call, 'judging' | 'place'>,
): readonly Effect[] | null {
  const name = `git ${verb}`
  const call = readCall(name, args, spec)
  if (call.unknown !== null) return null
  const more = doesMore(verb, call)
  if (more !== null) return [more]
  const does = kind !== 'read' ? 'records' : /^remote\b/.test(verb) ? 'remotes' : 'reads'
  return [
    ...judgeBySpec(judging, { name, args, place }, spec),
    ...obeysSettings({ judging, place }, does),
    ...[...call.operands, ...call.texts.filter(isOfFile)].flatMap(showsSecret),
    ...(verb === 'diff'
      ? call.operands.flatMap((each) => leavesTree({ judging, place }, each))
      : []),
    ...changes({ verb, kind }, args, { judging, place }),
  ]
}

function changes(
  { verb, kind }: Pick<GitCall, 'verb' | 'kind'>,
  args: readonly Argument[],
  call: Pick<Call, 'judging' | 'place'>,
): readonly Effect[] {
  if (kind === 'read') return []
  const reason = `${kind === 'commit' ? 'records' : 'makes'} changes with git ${verb}`
  const shifts = startsElsewhere(verb, args) || (verb !== 'switch' && shifting.test(verb))
  return [
    { ...effect(kind, reason), ...(shifts && { shifts }) },
    ...(verb === 'mv' ? copies('mv', { ...call, args }) : []),
    ...(verb === 'apply' ? appliesPatch(call) : []),
  ]
}

/** A branch that begins at another commit brings the files of that one. */
function startsElsewhere(verb: string, args: readonly Argument[]): boolean {
  if (verb === 'checkout -b') return args.length > 1
  const isNew = args.some((arg) => arg.is === 'text' && arg.text === '-c')
  const flags = args.filter((arg) => arg.is === 'text' && /^(?:-q|--quiet)$/.test(arg.text))
  return verb === 'switch' && (!isNew || args.length - flags.length > 2)
}

const needsMessage = /^(?:commit|commit --amend|merge|tag -a)$/

/** A harmless verb that does more than read or record with these arguments. */
function doesMore(verb: string, call: CallParts): Effect | null {
  const { seen, operands, texts } = call
  if (needsMessage.test(verb) && !hasMessage(seen))
    return effect('terminal', 'opens an editor for the message')
  if (verb === 'diff' && operands.some((each) => isDash(each) || isDevice(each)))
    return effect('terminal', 'waits for what is typed')
  if (verb === 'grep' && call.seen.includes('--untracked') && shownBy(call, operands[0]) === 'all')
    return effect('secret', 'searches files that git does not know, of which some may be secrets')
  const words = texts.map((text) => (text.is === 'text' ? text.text : ''))
  if (words.some((word) => codes.test(word)))
    return effect('terminal', 'sends codes to the terminal')
  return words.some((word) => /%G|%\(signature/.test(word))
    ? effect('code', 'checks signatures with another program')
    : null
}

/** Letters that a terminal acts on, as formats write them. */
const codes = /%x?(?:0[1-8b-f]|1[0-9a-f]|7f)/i

/** The words after `--no-pager` and `-C`, which changes the folder for this one call. */
function withoutGlobal(
  judging: Judging,
  args: readonly Argument[],
  place: Place,
): { rest: readonly Argument[]; place: Place } {
  const [first, folder] = args
  if (first?.is !== 'text') return { rest: args, place }
  if (first.text === '--no-pager' || first.text === '-P')
    return withoutGlobal(judging, args.slice(1), place)
  if (first.text !== '-C' || folder?.is !== 'text') return { rest: args, place }
  const cwds = place.cwds?.map((cwd) => lookAt(judging, joinPath(cwd, folder.text))?.real ?? null)
  const isKnown = cwds?.every((cwd) => cwd !== null) === true
  return withoutGlobal(judging, args.slice(2), {
    ...place,
    cwds: isKnown ? cwds.filter((cwd) => cwd !== null) : null,
  })
}

/** With a path outside the repository, git compares any two files or folders. */
function leavesTree(
  { judging, place }: Pick<Call, 'judging' | 'place'>,
  operand: Argument,
): readonly Effect[] {
  if (operand.is !== 'text' || !/^\/|\.\.(?:\/|$)/.test(operand.text)) return []
  const isInside = (place.cwds ?? []).every((cwd) =>
    isWithin(normal(joinPath(cwd, operand.text)), judging.facts.workspace),
  )
  return isInside ? [] : [effect('secret', 'compares files outside the repository')]
}

function hasMessage(flags: readonly string[]): boolean {
  return flags.some((flag) => /^(?:-m|--message|-F|--no-edit|--ff-only)$/.test(flag))
}

/** Git obeys the configuration of the repository it is in, which may run programs. */
function obeysSettings(
  { judging, place: { cwds } }: Pick<Call, 'judging' | 'place'>,
  does: keyof GitFact,
): readonly Effect[] {
  const { facts } = judging
  if (!facts.isTrusted) return [effect('code', 'runs git in a folder that is not trusted')]
  if (cwds === null) return [effect('code', 'runs git in a folder that nobody knows')]
  return cwds.flatMap((cwd): Effect[] => {
    if (!isWithin(cwd, facts.workspace)) return [effect('code', 'runs git outside the workspace')]
    const why = repositoryAt(judging, cwd, does)
    return why === null ? [] : [effect('code', why)]
  })
}

/** Compared as a file, it may have no end. */
function isDevice(operand: Argument): boolean {
  return operand.is === 'text' && /^\/(?:dev\/(?!null$)|proc\/)/.test(operand.text)
}

/** `log -L 1,5:FILE`. */
function isOfFile(text: Argument): boolean {
  return text.is === 'text' && /:[^:]*$/.test(text.text)
}

/** `show HEAD:.env`, `log -p -- .env`: what git shows may be a secret by its name. */
function showsSecret(operand: Argument): readonly Effect[] {
  switch (operand.is) {
    case 'text': {
      const path = operand.text.slice(operand.text.lastIndexOf(':') + 1).replace(/^\([^)]*\)/, '')
      return meansSecret(path)
        ? [effect('secret', `shows ${path}, which is a secret by its name`)]
        : []
    }
    case 'pattern': {
      // A pattern that finds no file stays as it is, and is one to git.
      const text = operand.pattern.map((piece) => ('text' in piece ? piece.text : piece.glob))
      return namesSecret(operand.pattern) === null && !meansSecret(text.join(''))
        ? []
        : [effect('secret', 'shows files that are secrets by their names')]
    }
    case 'unknown':
      return [effect('secret', 'nobody can say what it shows')]
    case 'odd':
      return [effect('unclear', `it has ${operand.why}`)]
    default:
      return operand satisfies never
  }
}
