import type {
  AndOr,
  Command,
  CommandArgument,
  CommandNode,
  CompoundList,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirection,
  Statement,
} from 'unbash'
import { effect, type Effect } from '../effect.ts'
import { joinFetched } from '../fetched-script.ts'
import { type Argument, argumentsOf } from './argument.ts'
import { insideAssignment, insideRedirection, insideTest, insideWord, tested } from './inside.ts'
import { linesFrom, textFed } from './lines-from.ts'
import {
  asks,
  deeper,
  isSame,
  known,
  maxCommands,
  maxDepth,
  ofSource,
  type Outcome,
  type Place,
  unclear,
  union,
  type Walk,
} from './place.ts'

/** Walks over every part of a script that could run. It is closed: what it does not know asks. */
export function walkScript(walk: Walk, script: ParsedScript, place: Place): Outcome {
  if (script.errors !== undefined && script.errors.length > 0)
    return { effects: [unclear('it is no complete command')], cwds: place.cwds }
  return walkAll(walk, script.commands, place)
}

function walkAll(walk: Walk, statements: readonly Statement[], place: Place): Outcome {
  if (place.depth > maxDepth) return { effects: [unclear('it is nested too deep')], cwds: null }
  let { cwds } = place
  const effects: Effect[] = []
  for (const { command, background } of statements) {
    const outcome = walkNode(walk, command, { ...place, cwds })
    effects.push(...outcome.effects)
    if (background === true) effects.push(effect('terminal', 'goes on in the background'))
    // Whether it succeeded or not, the next one runs.
    else cwds = union(cwds, outcome.cwds)
  }
  return { effects, cwds }
}

function walkNode(walk: Walk, node: PipelineNode | AndOr, place: Place): Outcome {
  if (node.type === 'AndOr') return walkAndOr(walk, node, place)
  return node.type === 'Pipeline' ? walkPipeline(walk, node, place) : walkCommand(walk, node, place)
}

function walkAndOr(walk: Walk, { commands, operators }: AndOr, place: Place): Outcome {
  const effects: Effect[] = []
  let { cwds } = place
  let all = cwds
  for (const [index, part] of commands.entries()) {
    const outcome = walkNode(walk, part, { ...place, cwds })
    effects.push(...outcome.effects)
    all = union(all, outcome.cwds)
    // After `&&` it has succeeded, or was left out after `||`; after `||` it has not, or an earlier one was left out.
    cwds = operators[index] === '&&' && operators[index - 1] !== '||' ? outcome.cwds : all
  }
  return { effects, cwds: all }
}

function walkPipeline(walk: Walk, pipeline: Pipeline, place: Place): Outcome {
  const { commands, prefixes, operators } = pipeline
  const outcomes = commands.map((part, index) =>
    index === 0
      ? walkCommand(walk, part, place)
      : walkCommand(walk, part, {
          ...place,
          isPiped: true,
          before: linesFrom(commands, index - 1),
        }),
  )
  const isKnown =
    prefixes.every(({ type }) => type === 'Time' || type === 'Negation') &&
    operators.every((operator) => operator === '|' || operator === '|&')
  const all = outcomes.flatMap((outcome) => outcome.effects)
  const effects = commands.length > 1 ? ofSource(walk, pipeline, joinFetched(all)) : all
  const last = outcomes.at(-1)?.cwds ?? null
  // Parts of a pipe run apart; but zsh runs the last one in the shell itself.
  const cwds = place.shell === 'zsh' ? union(place.cwds, last) : place.cwds
  return {
    effects: isKnown ? effects : [...effects, unclear('it is joined in an unknown way')],
    cwds: commands.length === 1 ? last : cwds,
  }
}

function walkCommand(walk: Walk, command: CommandNode, place: Place): Outcome {
  switch (command.type) {
    case 'Command':
      return walkSimple(walk, command, place)
    case 'Redirected': {
      const { effects, cwds } = walkCommand(walk, command.command, fed(place, command.redirects))
      return { effects: [...effects, ...redirected(walk, command.redirects, place)], cwds }
    }
    case 'Subshell': {
      const { effects } = walkAll(walk, command.body.commands, deeper(place))
      return { effects, cwds: place.cwds }
    }
    case 'BraceGroup':
      return walkAll(walk, command.body.commands, deeper(place))
    case 'If': {
      const { clause, then, elif, else: rest } = command
      const branches = elif.flatMap((each) => [each.clause, each.then])
      return walkBranches(walk, [clause, then, ...branches, ...(rest ? [rest] : [])], place)
    }
    case 'Case': {
      const words = [command.word, ...command.items.flatMap(({ pattern }) => pattern)]
      const bodies = command.items.map(({ body }) => body)
      const { effects, cwds } = walkBranches(walk, bodies, place)
      return {
        effects: [...tested(walk, words, place), ...effects],
        cwds,
      }
    }
    case 'For':
      return walkFor(walk, command, place)
    case 'TestCommand':
      // To `sh` the brackets are a program, and what follows `&&` in them another.
      if (place.isPosix) return asks('tests in a way that sh does not know', place)
      return { effects: insideTest(walk, command.expression, place), cwds: place.cwds }
    case 'While':
      return asks('may never end', place, 'terminal')
    case 'Select':
      return asks('asks in the terminal which one to take', place, 'terminal')
    case 'Coproc':
      return asks('goes on in the background', place, 'terminal')
    case 'Function':
      return asks('defines a function', place, 'state')
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return asks('calculates, and in a shell that may run commands', place)
    default:
      command satisfies never
      return asks('it has a part that is not known', place)
  }
}

/** Each may be left out. */
function walkBranches(walk: Walk, lists: readonly CompoundList[], place: Place): Outcome {
  let { cwds } = place
  const effects: Effect[] = []
  for (const { commands } of lists) {
    const outcome = walkAll(walk, commands, { ...deeper(place), cwds })
    effects.push(...outcome.effects)
    cwds = union(cwds, outcome.cwds)
  }
  return { effects, cwds }
}

function walkFor(walk: Walk, command: CommandNode & { type: 'For' }, place: Place): Outcome {
  const { name, wordlist, body } = command
  if (wordlist === undefined) return asks('walks over the arguments of the shell', place)
  // A loop within a loop over the same name leaves its last value to the outer one.
  const isTaken = specialNames.test(name.text) || place.loops.has(name.text)
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(name.text) || isTaken)
    return asks(`gives $${name.text} another value`, place, 'state')
  const values = wordlist.flatMap((word) => argumentsOf(word, known(place)))
  const inside = wordlist.flatMap((word) => insideWord(walk, word, place))
  const odd = values.flatMap((value) =>
    value.is === 'odd' ? [unclear(`it has ${value.why}`)] : [],
  )
  const looping = { ...place, loops: new Map(place.loops).set(name.text, values) }
  const first = walkBranches(walk, [body], looping)
  // A second time round the shell may be where the first left it: then nobody can say where that is.
  const isOnce = values.length <= 1 && values.every(({ is }) => is === 'text')
  const outcome =
    isOnce || isSame(first.cwds, place.cwds)
      ? first
      : { ...walkBranches(walk, [body], { ...looping, cwds: null }), cwds: null }
  return { effects: [...inside, ...odd, ...outcome.effects], cwds: outcome.cwds }
}

/** Variables that are more than variables, most of them to zsh only. */
const specialNames = new RegExp(
  `^(?:${'.+_functions dis_.+ npm_config_.+ auto_resume path cdpath fignore dirstack mapfile galiases saliases patchars reswords history historywords errnos sysparams langinfo epochtime region_highlight zsh_scheduled_events zle_highlight zle_bracketed_paste functrace funcfiletrace funcsourcetrace jobdirs compstate fpath mailpath manpath module_path prompt psvar argv status pipestatus aliases functions options commands builtins signals watch histchars keymap funcstack jobtexts jobstates modules nameddirs parameters termcap terminfo userdirs usergroups widgets zsh_eval_context http_proxy https_proxy ftp_proxy all_proxy no_proxy'.replaceAll(' ', '|')})$`,
)

function walkSimple(walk: Walk, command: Command, place: Place): Outcome {
  walk.met.commands += 1
  if (walk.met.commands > maxCommands)
    return { effects: [unclear('it has too many parts')], cwds: null }
  const { prefix, name, args, redirects } = command
  const assignments = prefix.filter((each) => each.type === 'Assignment')
  const [first = null, ...rest] = name ? argumentsOf(name, known(place)) : []
  const simple = {
    name: first,
    args: [...rest, ...args.flatMap((word) => toArguments(word, place))],
    assignments,
    source: walk.source.slice(command.pos, command.end),
  }
  const { effects, cwds } = walk.judges.simple(simple, {
    ...fed(place, redirects),
    text: textFed(redirects),
  })
  // Alone, a redirection makes zsh run a pager or `cat`.
  if (first === null && assignments.length === 0 && place.shell === 'zsh')
    return asks('redirects nothing', place, 'terminal')
  const inside = [...(name ? [name] : []), ...args, ...assignments].flatMap((word) =>
    word.type === 'Word' ? insideWord(walk, word, place) : insideAssignment(walk, word, place),
  )
  const all = joinFetched([...inside, ...effects, ...redirected(walk, redirects, place)])
  return { effects: ofSource(walk, command, all), cwds }
}

/** `declare a=(…)` and the like are assignments as arguments; their programs ask anyhow. */
function toArguments(word: CommandArgument, place: Place): readonly Argument[] {
  if (word.type === 'Word') return argumentsOf(word, known(place))
  return [{ is: 'odd', why: 'an assignment as an argument' }]
}

function redirected(
  walk: Walk,
  redirects: readonly Redirection[],
  place: Place,
): readonly Effect[] {
  return redirects.flatMap((redirection) => [
    ...insideRedirection(walk, redirection, place),
    ...walk.judges.redirect(redirection, place),
  ])
}

/** It reads a file or a text, and not what is typed. */
function fed(place: Place, redirects: readonly Redirection[]): Place {
  const hasInput = redirects.some(
    (each) =>
      (each.type !== 'Redirect' || each.operator === '<') &&
      (each.descriptor === undefined ||
        (each.descriptor.type === 'FileDescriptor' && each.descriptor.value === 0)),
  )
  const isTurned = redirects.some((each) => each.type === 'Redirect' && each.operator === '<&')
  if (isTurned) return { ...place, isPiped: false, isTurned: true, before: [] }
  return hasInput ? { ...place, isPiped: true, before: [] } : place
}
