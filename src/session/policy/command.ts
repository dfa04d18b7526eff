import { type Assignment, parse } from 'unbash'
import { changeFolder } from './calls/change-folder.ts'
import { judgeProgram } from './calls/program.ts'
import { judgeSetting, unwrap } from './calls/wrappers.ts'
import { effect, type Effect } from './effect.ts'
import { resolve } from './live/resolve.ts'
import { fileName } from './machine/fetches.ts'
import type { Judging } from './judging.ts'
import { partOf } from './rules/part.ts'
import { type Argument, argumentsOf } from './syntax/argument.ts'
import { deeper, known, type Outcome, type Place, type Simple, type Walk } from './syntax/place.ts'
import { walkScript } from './syntax/walk.ts'

/** More wrappers than this around a command are not taken off. */
const maxWrappers = 32
/** More arguments than this are read by nobody, and would take long to judge. */
const maxArguments = 2_000

/** Judges a simple command: what it sets, which program it really is, and what that does. */
export function createCommandJudge(judging: Judging, walk: () => Walk) {
  function simple({ name, args, assignments, source }: Simple, place: Place): Outcome {
    const { cwds } = place
    if (name === null) return { effects: setsOnly(assignments), cwds }
    const settings = assignments.flatMap((each) => setting(each, place))
    if (name.is !== 'text') {
      const computed = effect('code', `runs a program whose name is computed: ${source}`)
      return { effects: [...settings, computed], cwds }
    }
    if (name.text !== 'cd') return { effects: [...settings, ...call(name.text, args, place)], cwds }
    const changed = changeFolder(judging, args, place)
    return { ...changed, effects: [...settings, ...seems('cd', judging), ...changed.effects] }
  }

  function call(name: string, args: readonly Argument[], place: Place): readonly Effect[] {
    if (place.depth > maxWrappers) return [effect('unclear', 'it is nested too deep')]
    if (args.length > maxArguments) return [effect('unclear', 'it has very many arguments')]
    if (name.includes('/'))
      return [{ ...effect('code', `runs the program ${name}`), runs: fileName(name) }]
    const named = seems(name, judging)
    const wrapped = unwrap(name, args)
    if (wrapped?.is === 'odd') return [effect(name === 'env' ? 'secret' : 'unclear', wrapped.why)]
    if (wrapped !== null)
      return [...named, ...wrapped.effects, ...inner(wrapped.call, deeper(place))]
    const words = args.map((arg) => (arg.is === 'text' ? arg.text : null))
    // A command within is part of the one that runs it: no rule is about `mv` in `find -exec mv`.
    const part = partOf(name, args, place)
    const own = judgeProgram({ judging, name, args, words, place, inner, script })
    return [...named, ...own.map((each) => ({ ...each, part }))]
  }

  function inner([name, ...args]: readonly Argument[], place: Place): readonly Effect[] {
    if (name === undefined) return []
    if (name.is !== 'text') return [effect('code', 'runs a program whose name is computed')]
    return call(name.text, args, place)
  }

  /** A command in a string is judged like any other. */
  function script(source: string, place: Place): readonly Effect[] {
    const apart: Place = { ...deeper(place), shell: 'bash', loops: new Map() }
    return walkScript({ ...walk(), source }, parse(source), apart).effects
  }

  return { simple }
}

function setsOnly(assignments: readonly Assignment[]): readonly Effect[] {
  const names = assignments.map(({ name }) => name).join(', ')
  return names === '' ? [] : [effect('state', `gives ${names} another value`)]
}

/** A variable for one command only. */
function setting({ name, value, append, index }: Assignment, place: Place): readonly Effect[] {
  const values = value.type === 'Word' ? argumentsOf(value, known(place)) : []
  const isPlain = values.length === 1 && append !== true && index === undefined
  return judgeSetting(name, isPlain ? (values[0] ?? null) : null)
}

/** A name that is not what it seems in this shell, now. */
function seems(name: string, { facts: { live, workspace }, names }: Judging): readonly Effect[] {
  names.add(name)
  if (live === null) return [effect('unclear', 'the shell could not be asked what its names mean')]
  const meaning = resolve({ ...live, workspace }, name)
  return meaning.is === 'odd' ? [effect('unclear', meaning.why)] : []
}
