import { otherEffect } from './other-effect.ts'
import { effect, type Effect } from '../effect.ts'
import { readsFiles } from '../paths.ts'
import type { Call, JudgeCall } from './call.ts'

/** Programs that do much, with the few calls of theirs that only tell something. */
const calls: Readonly<Record<string, JudgeCall>> = {
  // A verb may be as short as its beginning: `ip a a` adds.
  ip: (call) =>
    /^(?:-(?:[46coj]|br|brief|s) )*(?:a|addr|address|r|route|l|link|n|neigh)(?: (?:show|list|ls))?$/.test(
      call.words.map((word) => word ?? '?').join(' '),
    )
      ? []
      : asksNetwork(call),
  npm: (call) =>
    isNpmQuery(call) ? [] : [effect('code', 'runs npm in a way that may run or load anything')],
  dpkg: only(/^(?:-l|-s|-L|--list|--status)$/, /^[a-z0-9][a-z0-9.+-]*$/, {
    grave: 'changes the programs of the machine',
    looks:
      /^(?:-S|--search|-p|--print-avail|-I|--info|-c|--contents|-V|--verify)(?: [\w.+:/*-]+)*$/,
    says: 'asks about programs of the machine',
  }),
  kubectl: (call) =>
    call.words.join(' ') === 'version --client' ? [] : [otherEffect('kubectl', plainWords(call))],
  terraform: (call) =>
    call.words[0] === 'fmt' &&
    call.words.includes('-check') &&
    call.words
      .slice(1)
      .every((word) => word !== null && /^(?:-check|-diff|-recursive|\w[\w./-]*)$/.test(word))
      ? []
      : [otherEffect('terraform', plainWords(call))],
  // A sum that can be seen: other programs of it may never end.
  bc: ({ words, place: { isPiped, before } }) =>
    isPiped &&
    words.every((word) => word === '-l' || word === '-q') &&
    before[0] === 'echo' &&
    /^(?:scale=\d{1,2};)?[\d\s.+*/%()-]+$/.test(before.slice(1).join(' '))
      ? []
      : [effect('code', 'runs a bc program that may never end')],
  tput: (call) =>
    call.words.length === 1 && /^(?:cols|lines|colors)$/.test(call.words[0] ?? '')
      ? []
      : [effect('terminal', 'changes the terminal')],
  stty: (call) =>
    call.words.length === 1 && /^(?:size|-a|speed)$/.test(call.words[0] ?? '')
      ? []
      : [effect('terminal', 'changes the terminal')],
  pnpm: listsPackages,
  node: parses(/^(?:--check|-c)$/, 'runs JavaScript code'),
  php: parses(/^-l$/, 'runs PHP code'),
  pip: packages,
  pip3: packages,
  go: (call) =>
    call.words[0] === 'env' &&
    call.words.slice(1).every((word) => word !== null && /^[A-Z]+$/.test(word))
      ? [effect('task', 'asks the go that this folder declares for its settings')]
      : [effect('code', 'runs go in a way that may run or load anything')],
  tar(call) {
    const [first] = call.words
    const isList = first !== null && first !== undefined && /^-?t[vzjJ]*f$/.test(first)
    // A name with a colon is on another machine.
    return isList &&
      call.words.length > 1 &&
      call.words.slice(1).every((word) => word !== null && !/^-|:/.test(word))
      ? []
      : [effect('code', 'packs or unpacks files, and may run programs for it')]
  },
}

const asksNetwork = only(/^$/, /^$/, {
  grave: 'may change the network of the machine',
  looks: /^(?:-\S+ )*[a-z]+ (?:show|list|ls|get)(?: [\w.:/]+)*$/,
  says: 'asks about the network of the machine',
})

const plainWords = ({ words }: Call): readonly string[] => words.filter((word) => word !== null)

function only(
  flags: RegExp,
  words: RegExp,
  { grave, looks, says }: { grave: string; looks: RegExp; says: string },
): JudgeCall {
  return (call) => {
    if (call.words.every((word) => word !== null && (flags.test(word) || words.test(word))))
      return []
    const isLook = call.words.every((word) => word !== null) && looks.test(call.words.join(' '))
    return [isLook ? effect('inspect', says) : effect('privilege', grave)]
  }
}

/** Reads a program without running it, and says what is wrong with it. */
function parses(flag: RegExp, reason: string): JudgeCall {
  return ({ judging, args, words, place }) =>
    words.length === 2 && flag.test(words[0] ?? '') && words[1]?.startsWith('-') === false
      ? args.slice(1).flatMap((file) => readsFiles(judging, place.cwds, file))
      : [effect('code', reason)]
}

/** It reads settings of the folder first, which may load code. */
function listsPackages(call: Call): readonly Effect[] {
  const isList = /^(?:ls|list|why)$/.test(call.words[0] ?? '')
  return isList && isNpmQuery({ ...call, words: ['ls', ...call.words.slice(1)] })
    ? [effect('task', 'lists the packages of this folder')]
    : [effect('code', 'runs pnpm in a way that may run or load anything')]
}

const packageName = /^@?\w[\w.-]*(?:\/\w[\w.-]*)?$/
const npmKeys =
  /^(?:registry|prefix|cache|name|version|type|main|scripts|engines|(?:dev)?dependencies)(?:\.[\w-]+)?$/i
const listFlags =
  /^(?:--depth=\d+|--all|--json|--prod|--dev|-a|-g|--global|-r|--depth|--long|--parseable|-[lp])$/

/** The words that each verb of npm takes which only tells something. */
const npmQueries: ReadonlyMap<string, (words: readonly string[]) => boolean> = new Map(
  Object.entries({
    run: (words: readonly string[]) => words.length === 0,
    root: (words: readonly string[]) => words.every((word) => word === '-g'),
    prefix: (words: readonly string[]) => words.every((word) => word === '-g'),
    config: getsKey,
    pkg: getsKey,
    why: namesPackage,
    explain: namesPackage,
    ls: listsTree,
    list: listsTree,
  }),
)

function getsKey([verb, key = '', ...more]: readonly string[]): boolean {
  return verb === 'get' && more.length === 0 && npmKeys.test(key)
}

function namesPackage([name = '', ...more]: readonly string[]): boolean {
  return more.length === 0 && packageName.test(name)
}

function listsTree(words: readonly string[]): boolean {
  return words.every((word) => listFlags.test(word) || packageName.test(word))
}

function isNpmQuery({ words }: Pick<Call, 'words'>): boolean {
  const [verb, ...rest] = words.map((word) => word ?? '')
  return npmQueries.get(verb ?? '')?.(rest) === true
}

function packages({ words }: Call): readonly Effect[] {
  const [verb, ...rest] = words
  const isQuery =
    (verb === 'list' &&
      rest.every((word) => /^--format=(?:freeze|json|columns)$/.test(word ?? ''))) ||
    (verb === 'freeze' && rest.length === 0) ||
    (verb === 'show' &&
      rest.every((word) => word !== null && /^[\w.-]+$/.test(word) && !word.startsWith('-')))
  return isQuery ? [] : [effect('network', 'installs or asks for packages')]
}

export const queries: ReadonlyMap<string, JudgeCall> = new Map(Object.entries(calls))
