import { effect, type Effect } from '../effect.ts'
import { lookAt } from '../judging.ts'
import { changedTasks, isWithin, joinPath, readsFiles, shown, tasksAt } from '../paths.ts'
import { asFiles } from '../patterns.ts'
import { builtins } from './builtins.ts'
import type { Call, JudgeCall } from './call.ts'
import { filters } from './filters.ts'
import { judgeFind } from './find.ts'
import { judgeGit } from './git-call.ts'
import { otherEffect } from './other-effect.ts'
import { queries } from './queries.ts'
import { judgeBySpec, type Spec } from '../programs/spec.ts'
import { systemPrograms } from '../programs/system.ts'
import { judgeTask } from './tasks.ts'
import { textPrograms } from '../programs/text.ts'
import { asksVersion, declaredVersions } from '../programs/versions.ts'
import { judgeXargs } from './wrappers.ts'
import { writesTo } from '../writes/writes-to.ts'

const specs: ReadonlyMap<string, Spec> = new Map(
  Object.entries({ ...textPrograms, ...systemPrograms }),
)

/** Programs with rules of their own. */
const own: ReadonlyMap<string, JudgeCall> = new Map(
  Object.entries({
    ...builtins,
    ...filters,
    find: judgeFind,
    xargs: judgeXargs,
    git: judgeGit,
    bash: judgeShell,
    sh: judgeShell,
    dash: judgeShell,
    skill: judgeSkill,
  }),
)

/** The effects of a program with its arguments; one that is not known may do anything. */
export function judgeProgram(given: Call): readonly Effect[] {
  const { judging, name, words, place } = given
  const call = { ...given, args: given.args.map((arg) => asFiles(judging, arg, place.cwds)) }
  if (asksVersion(name, words))
    return declaredVersions.has(name)
      ? [effect('task', `asks for the version of ${name} that this folder declares`)]
      : []
  if (name === 'gofmt' && words.includes('-w')) return writesTo(call) ?? []
  const rules = specs.get(name)
  if (rules !== undefined) return judgeBySpec(judging, call, rules)
  return (
    own.get(name)?.(call) ??
    judgeRunner(call) ??
    writesTo(call) ?? [otherEffect(name, named(words))]
  )
}

/** A runner of tasks also answers questions; null when the program is none, and answers none. */
function judgeRunner(call: Call): readonly Effect[] | null {
  const task = judgeTask(ownTool(call), tasksAt(call.judging, call.place.cwds))
  if (task?.every(({ kind }) => kind === 'task' || kind === 'write') === true)
    return [...task, ...changedTasks(call.judging, call.place.cwds), ...leadsOut(call)]
  const query = queries.get(call.name)?.(call)
  const isAnswer = query?.every(({ kind }) => kind === 'task') === true
  return isAnswer ? query : (task ?? query ?? null)
}

/** `poetry run pytest`, `bundle exec rspec`: the tool is the one that the folder declares. */
function ownTool({ name, args, words }: Call): Pick<Call, 'name' | 'args'> {
  const [verb, tool] = words
  const isRun = /^(?:poetry|pipenv|pdm|uv) run$|^bundle exec$/.test(`${name} ${verb}`)
  return isRun && tool != null && tools.has(tool)
    ? { name: tool, args: args.slice(2) }
    : { name, args }
}

const tools = new Set('pytest ruff mypy black isort flake8 pylint rspec rubocop rake'.split(' '))

/** A file of a task that is a link to another place. */
function leadsOut({ judging, words, place }: Call): readonly Effect[] {
  const { workspace, home } = judging.facts
  const paths = words.flatMap((word) =>
    word === null || word.startsWith('-') ? [] : [word.replace(/::.*$|\/?\.\.\.$/s, '')],
  )
  return (place.cwds ?? []).flatMap((cwd) =>
    paths.flatMap((path): readonly Effect[] => {
      const fact = lookAt(judging, joinPath(cwd, path))
      if (fact === undefined) return [effect('unclear', 'nobody looked at its files yet')]
      const real = fact.real ?? workspace
      return isWithin(real, workspace)
        ? []
        : [effect('outside', `runs what is in ${shown(real, home)}, outside the workspace`, [real])]
    }),
  )
}

/** The operands, for a sentence. */
function named(words: readonly (string | null)[]): readonly string[] {
  return words.filter((word) => word !== null).filter((word) => !word.startsWith('-'))
}

/** A command in a string is judged like any other; what comes from elsewhere cannot be read. */
function judgeShell(call: Call): readonly Effect[] {
  const { name, args, place, script } = call
  const [flag, source, ...rest] = args
  const isString =
    flag?.is === 'text' &&
    /^-[eux]*c$/.test(flag.text) &&
    source?.is === 'text' &&
    rest.length === 0
  if (isString) return script(source.text, { ...place, isPosix: name !== 'bash' })
  const parsed = parsedOnly(call)
  if (parsed !== null) return parsed
  return [
    effect(
      'code',
      place.isPiped ? 'runs what comes through a pipe as a command' : 'runs a shell script',
    ),
  ]
}

/** `-n` reads a script and says what is wrong with it, and runs nothing. */
function parsedOnly({ judging, args, words, place }: Call): readonly Effect[] | null {
  const isParse = words.length === 2 && words[0] === '-n' && words[1]?.startsWith('-') === false
  return isParse ? args.slice(1).flatMap((file) => readsFiles(judging, place.cwds, file)) : null
}

function judgeSkill({ words }: Call): readonly Effect[] {
  const [verb, name, ...rest] = words
  const isKnown =
    (verb === 'list' && name === undefined) ||
    (verb === 'show' && rest.length === 0 && /^[\w@][\w@.-]*$/.test(name ?? ''))
  return isKnown ? [] : [effect('code', 'changes skills')]
}
