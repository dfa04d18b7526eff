import { effect, type Effect } from '../effect.ts'
import type { Argument } from '../syntax/argument.ts'
import type { Call } from './call.ts'
import { type Runner, runners } from '../programs/runners.ts'

/** The effects of a call of a task runner; null when the program is none. */
export function judgeTask(
  { name, args }: Pick<Call, 'name' | 'args'>,
  declared: ReadonlySet<string>,
): readonly Effect[] | null {
  const runner = Object.hasOwn(runners, name) ? runners[name] : undefined
  if (runner === undefined) return null
  const fixing = fixes(name, args)
  if (fixing !== null) return asFix(judgeTask({ name, args: fixing }, declared))
  const words = args.map((arg) => (arg.is === 'text' ? arg.text : null))
  const called = runner.task(words.map((word) => word ?? '-'))
  if (called === null)
    return [effect('code', `runs ${name} in a way that may run or load anything`)]
  if (!declared.has(called.task))
    return [
      effect(
        'code',
        `runs ${called.task}, which this folder does not declare, or is not trusted with`,
      ),
    ]
  const why = oddArgument(args.slice(called.taken), { runner, declared, name })
  return why === null
    ? [effect('task', `runs ${called.task}, which this folder declares`)]
    : [effect('code', `runs ${called.task} with ${why}`)]
}

/** Options that let a checker rewrite the files it is given, and the option for a mere check. */
const fixers: Readonly<Record<string, string>> = {
  'npx --fix': '--color',
  'npx --write': '--check',
  'ruff --fix': '--quiet',
}

/** The same call as a mere check; null when it is one already. */
function fixes(name: string, args: readonly Argument[]): readonly Argument[] | null {
  const [verb] = args
  if (name === 'cargo' && verb?.is === 'text' && verb.text === 'fmt')
    return args.some((arg) => arg.is === 'text' && arg.text === '--check')
      ? null
      : [verb, { is: 'text', text: '--check' }, ...args.slice(1)]
  const checked = args.map((arg): Argument => {
    const instead = arg.is === 'text' ? fixers[`${name} ${arg.text}`] : undefined
    return instead === undefined ? arg : { is: 'text', text: instead }
  })
  return checked.some((arg, at) => arg !== args[at]) ? checked : null
}

function asFix(effects: readonly Effect[] | null): readonly Effect[] | null {
  return (
    effects?.map((each) =>
      each.kind === 'task' ? effect('write', `${each.reason}, and rewrites files`) : each,
    ) ?? null
  )
}

interface Around {
  name: string
  runner: Runner
  declared: ReadonlySet<string>
}

/** An argument that may change a task: a variable of make, an option, a file elsewhere; null when there is none. */
function oddArgument([arg, ...rest]: readonly Argument[], around: Around): string | null {
  if (arg === undefined) return null
  if (arg.is === 'pattern' && isPlainStart(arg)) return oddArgument(rest, around)
  if (arg.is !== 'text') return computed
  if (isFlag(arg.text, around.runner)) return oddArgument(rest, around)
  return oddWord(arg.text, rest, around)
}

/** A flag; or letters that are each one: `-xvs`. */
function isFlag(text: string, { flags }: Runner): boolean {
  if (flags.has(text)) return true
  return (
    /^-[a-zA-Z]{2,4}$/.test(text) &&
    text
      .slice(1)
      .split('')
      .every((letter) => flags.has(`-${letter}`))
  )
}

/** An option with its value in the same word or the next; or an operand. */
function oddWord(text: string, rest: readonly Argument[], around: Around): string | null {
  const { values } = around.runner
  const [, flag = '', joined = ''] = /^(--?[a-zA-Z][\w.-]*)=(.*)$/s.exec(text) ?? []
  if (values.has(flag)) return oddValue(flag, joined) ?? oddArgument(rest, around)
  if (!values.has(text)) return oddOperand(text, around) ?? oddArgument(rest, around)
  const [value, ...more] = rest
  if (value?.is !== 'text') return computed
  return oddValue(text, value.text) ?? oddArgument(more, around)
}

function oddValue(flag: string, value: string): string | null {
  // A reporter may be a file, which runs.
  const isFile = flag === '--reporter' ? /[^\w-]/.test(value) : isElsewhere(value)
  return isFile ? `${value}, which is not in this folder` : null
}

const computed = 'an argument that is computed'

/** To these every operand is one more task. */
const ofTasks = new Set('make rake mvn gradle just'.split(' '))

function oddOperand(text: string, { name, declared }: Around): string | null {
  // A version is one that may have to be fetched.
  if (name === 'go' && text.includes('@')) return `${text}, which may come over the network`
  if (ofTasks.has(name) && !declared.has(`${name} ${text}`))
    return `${text}, which this folder does not declare`
  const isPlain = /^[\w*][\w@./:[\]*{},-]*$|^\.\/?[\w./-]*$/.test(text) && !isElsewhere(text)
  return isPlain ? null : `${text}, which may change what it does`
}

function isElsewhere(path: string): boolean {
  return /^\/|^~|(?:^|\/)\.\.(?:\/|$)/.test(path)
}

/** No file that it finds can be taken for an option. */
function isPlainStart({ pattern }: Argument & { is: 'pattern' }): boolean {
  const [first] = pattern
  return first !== undefined && 'text' in first && /^[^-]/.test(first.text)
}
