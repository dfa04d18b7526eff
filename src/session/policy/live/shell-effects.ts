import { effect, type Effect } from '../effect.ts'
import type { LiveShell } from '../facts.ts'
import { drift } from './drift.ts'
import type { LiveState } from './live-state.ts'

/** Options that change nothing about what the policy reads, or only what it asks about anyhow. */
const plain = new Set(
  [
    'expand_aliases extglob nullglob failglob autocd noclobber braceexpand hashall checkhash sourcepath globasciiranges',
    'globskipdots patsub_replacement interactive_comments execfail',
    'aliases aliasfuncdef badpattern caseglob casematch casepaths clobber clobberempty cbases cprecedences debugbeforecmd',
    'equals evallineno exec extendedglob functionargzero glob hashcmds hashdirs hashlistall interactivecomments kshglob',
    'multios nomatch octalzeroes pathscript posixargzero posixjobs printexitvalue shortloops shortrepeat shwordsplit unset',
    'numericglobsort warncreateglobal warnnestedvar bareglobqual multibyte multifuncdef trackall log stdin globcomplete',
    'combiningchars',
  ].flatMap((line) => line.split(' ')),
)

interface Judged {
  names: ReadonlySet<string>
  /** The effects of its parts. */
  effects: readonly Effect[]
}

/** Effects that make any command mean something else in this shell than it says: drift, options, words that stand for others. */
export function shellEffects(
  command: string,
  { state, baseline }: LiveShell,
  { names, effects }: Judged,
): readonly Effect[] {
  const words = wordsOf(command)
  const drifted = drift(baseline, state)
    // A word such as `CI=1` is no name, and may have become an alias all the same.
    .filter(
      ({ name }) => name === null || names.has(name) || (name.includes('=') && words.has(name)),
    )
    .filter(({ sentence }) => !isSaid(sentence, effects))
  const odd = [
    ...oddOptions(command, state),
    ...replacedWords(words, state),
    ...typedLoops(command, state),
    ...oddVariables(command, state),
  ]
  return [
    ...drifted.map(({ sentence, setting }) => ({
      ...effect('unclear', sentence),
      ...(setting !== undefined && { setting }),
    })),
    ...odd.map((reason) => effect('unclear', reason)),
  ]
}

/** A name that is odd says so with what it is; that it is so *now* is the same once more. */
function isSaid(sentence: string, effects: readonly Effect[]): boolean {
  const fact = sentence.replace(/ now$/, '')
  return effects.some(({ kind, reason }) => kind === 'unclear' && reason.startsWith(fact))
}

function oddOptions(command: string, { shell, options }: LiveState): readonly string[] {
  const odd = [...options]
    .filter((option) => !plain.has(option) && !isMoot(option, command))
    .map((option) =>
      option === 'redirected'
        ? 'what the shell prints goes elsewhere than to the terminal'
        : `the option ${option} changes what words mean`,
    )
  const isRun = shell === 'bash' && command.includes('#') && !options.has('interactive_comments')
  return isRun ? [...odd, 'what looks like a comment would run'] : odd
}

/** Says whether all that an option changes is known, so that a command which it concerns asks by itself. */
export function isKnownOption(option: string): boolean {
  return plain.has(option) || isMoot(option, '')
}

/** An option that changes only what this command has not. */
function isMoot(option: string, command: string): boolean {
  if (option === 'globstar' || option === 'globstarshort') return !command.includes('**')
  if (/^(?:dotglob|globdots|nocaseglob)$/.test(option)) return !/[*?[]/.test(command)
  if (/^(?:cdable_?vars|cdspell|dirspell|chaselinks|chasedots|physical)$/.test(option))
    return !/\bcd\b/.test(command)
  if (option === 'braceccl') return !command.includes('{')
  return option === 'xpg_echo' && !/\becho\b/.test(command)
}

/** Words that zsh replaces wherever they stand. */
function replacedWords(
  words: ReadonlySet<string>,
  { globalAliases }: LiveState,
): readonly string[] {
  return [...globalAliases.keys()]
    .filter((name) => words.has(name))
    .map((name) => `the word ${name} stands for something else in this shell`)
}

function wordsOf(command: string): ReadonlySet<string> {
  return new Set(command.split(/[\s;&|()<>]+/))
}

/** Loops over a variable that was made for numbers, letters or names of others: what it gets is another value then. */
function typedLoops(command: string, { typed = new Set() }: LiveState): readonly string[] {
  const text = command.replaceAll('\\\n', '')
  const names = /\bfor\b/.test(text) ? new Set(text.match(/\w+/g)) : new Set()
  return [...typed]
    .filter((name) => names.has(name))
    .map((name) => `the variable ${name} makes something else of its values in this shell`)
}

/** Variables that decide what a word means, also where the start files have set them. */
function oddVariables(command: string, { shell, variables }: LiveState): readonly string[] {
  const value = (name: string) => variables.get(name)?.value ?? ''
  const isElsewhere = value('CDPATH') !== '' && /\bcd\b/.test(command)
  const isOtherwise = value('GLOBIGNORE') !== '' && /[*?[]/.test(command)
  const splits = variables.get('IFS')?.value ?? blanks
  const isSplit = shell === 'bash' && splits !== blanks && /[$`]/.test(command)
  return [
    ...(isElsewhere ? ['CDPATH may lead to a folder of the same name elsewhere'] : []),
    ...(isOtherwise ? ['GLOBIGNORE changes which files a pattern means'] : []),
    ...(isSplit ? ['IFS changes where values are split'] : []),
  ]
}

/** The letters at which a shell splits values unless it is told otherwise. */
const blanks = ' \t\n'
