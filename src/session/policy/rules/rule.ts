import { parse } from 'unbash'
import { type Rule, type RuleDraft, RuleKind } from '../../../protocol/events/rule.ts'
import type { Effect } from '../effect.ts'
import type { Place, Walk } from '../syntax/place.ts'
import { walkScript } from '../syntax/walk.ts'
import { isOfferable, isPlainName, openWords } from './offerable.ts'
import { isSameList, isSamePart, type Part, partOf } from './part.ts'

/** The rule that a yes could make, where exactly one part asks and may have one. */
export function draftRule(asked: readonly Effect[], folder: string): RuleDraft | null {
  const [first] = asked
  const part = first?.part
  if (!part || !asked.every((each) => each.part && isSamePart(each.part, part))) return null
  const kinds = asked.map(({ kind }) => RuleKind.safeParse(kind).data ?? null)
  if (kinds.includes(null) || !isOfferable(part)) return null
  const open = openWords(part)
  const bare = {
    program: part.program,
    args: [...(open ?? part.args)],
    ...(open !== null && { others: true as const }),
    kinds: [...new Set(kinds.filter((kind) => kind !== null))],
    folder,
    cwd: part.cwd,
  }
  const draft = { ...bare, words: wordsOf(bare), ...examplesOf(bare, part) }
  return isSound(draft) ? draft : null
}

type Bare = Omit<RuleDraft, 'words' | 'matches' | 'misses'>

function wordsOf({ program, args, others, folder, cwd }: Bare): string {
  const command = written([program, ...args])
  const where = cwd === folder ? 'in this folder' : `in ${cwd.slice(folder.length + 1)}`
  return others
    ? `\`${command}\` with any plain names, ${where}`
    : `exactly \`${command}\`, ${where}`
}

function examplesOf({ program, args }: Bare, part: Part): Pick<RuleDraft, 'matches' | 'misses'> {
  const command = written([program, ...part.args])
  return {
    matches: [command],
    misses: [
      program,
      written([program, ...args, '--another-flag']),
      written([`${program}-other`, ...part.args]),
      `${command} && ${written([`${program}-other`])}`,
      `echo | ${command}`,
    ],
  }
}

/** Words as somebody would write them for a shell. */
export function written(words: readonly string[]): string {
  return words
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ')
}

/** Says whether a rule covers a part, in the folder that it was made in. */
export function covers(rule: RuleDraft, part: Part): boolean {
  const { program, args, others, cwd } = rule
  if (program !== part.program || cwd !== part.cwd || !isOfferable(part)) return false
  if (!others) return isSameList(args, part.args)
  const open = openWords(part)
  return open !== null && isSameList(open, args) && part.args.slice(args.length).every(isPlainName)
}

/** Says whether a rule is what it says: it covers the commands that it has to, and no other that it names. */
export function isSound(rule: RuleDraft): boolean {
  const { matches, misses, args, folder, cwd } = rule
  const isHere = cwd === folder || cwd.startsWith(`${folder}/`)
  return (
    isHere &&
    args.length > 0 &&
    matches.length > 0 &&
    matches.every((command) => coversCommand(rule, command)) &&
    !misses.some((command) => coversCommand(rule, command))
  )
}

/** Says whether a command is a single part, and the rule covers it. */
export function coversCommand(rule: RuleDraft, command: string): boolean {
  const parts = partsIn(command, rule.cwd)
  const [part] = parts
  return parts.length === 1 && part !== undefined && part !== null && covers(rule, part)
}

/** Every simple command in a text; null for one that has something unknown about it, or around it. */
function partsIn(command: string, cwd: string): readonly (Part | null)[] {
  const parts: (Part | null)[] = []
  const walk: Walk = {
    judges: {
      simple({ name, args, assignments }, place) {
        const isPlain = name?.is === 'text' && assignments.length === 0
        parts.push(isPlain ? partOf(name.text, args, place) : null)
        return { effects: [], cwds: place.cwds }
      },
      redirect() {
        parts.push(null)
        return []
      },
    },
    source: command,
    enter: walkScript,
    met: { commands: 0 },
  }
  const place: Place = {
    shell: 'bash',
    home: null,
    loops: new Map(),
    cwds: [cwd],
    depth: 0,
    isPiped: false,
    before: [],
  }
  const { effects } = walkScript(walk, parse(command), place)
  return effects.length === 0 ? parts : [...parts, null]
}

/** The effects that no rule covers, and the rules that counted. Only rules of this workspace do. */
export function withoutRuled(
  asked: readonly Effect[],
  { rules, folder }: { rules: readonly Rule[]; folder: string },
): { left: readonly Effect[]; used: readonly Rule[] } {
  const used = new Set<Rule>()
  const left = asked.filter(({ kind, part }) => {
    const rule = rules.find(
      (each) =>
        each.folder === folder &&
        each.kinds.some((known) => known === kind) &&
        part !== undefined &&
        part !== null &&
        covers(each, part),
    )
    if (rule !== undefined) used.add(rule)
    return rule === undefined
  })
  return { left, used: [...used] }
}
