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
import { splitsLines } from './split-lines.ts'
import { judgeXargs } from './wrappers.ts'
import { judgeDocker } from '../machine/containers.ts'
import { fetches, fileName } from '../machine/fetches.ts'
import { installsWhat } from '../machine/installs.ts'
import { machinePrograms } from '../machine/machine-programs.ts'
import { judgeSudo } from '../machine/sudo.ts'
import { deletes } from '../writes/deletes.ts'
import { changesOwner, changesRights } from '../writes/rights.ts'
import { writesTo } from '../writes/writes-to.ts'
import { pipeFile } from '../syntax/word.ts'

const specs: ReadonlyMap<string, Spec> = new Map(
  Object.entries({ ...textPrograms, ...systemPrograms }),
)

/** Programs with rules of their own. */
const own: ReadonlyMap<string, JudgeCall> = new Map(
  Object.entries({
    ...builtins,
    ...filters,
    ...machinePrograms,
    find: judgeFind,
    xargs: judgeXargs,
    git: judgeGit,
    bash: judgeShell,
    sh: judgeShell,
    dash: judgeShell,
    skill: judgeSkill,
    docker: judgeDocker,
    'docker-compose': judgeDocker,
    curl: fetches,
    wget: fetches,
    sudo: judgeSudo,
    su: judgeSudo,
    doas: judgeSudo,
    pkexec: judgeSudo,
    run0: judgeSudo,
    rm: deletes,
    rmdir: deletes,
    unlink: deletes,
    shred: deletes,
    chmod: changesRights,
    chown: changesOwner,
    chgrp: changesOwner,
    eval: runsText,
    source: runsFile,
    '.': runsFile,
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
  if (rules !== undefined)
    return [...judgeBySpec(judging, call, rules), ...(rules.hasFileList ? splitsNames(call) : [])]
  const told = own.get(name)?.(call) ??
    judgeRunner(call) ??
    writesTo(call) ?? [otherEffect(name, named(words))]
  return inWords(call, told)
}

/** Names that another command prints, which the shell splits at blanks: a piece of one may be an option. */
function splitsNames({ judging, args, place }: Call): readonly Effect[] {
  return args.flatMap((arg) =>
    arg.is === 'unknown' &&
    arg.listedBy !== undefined &&
    !/^(?:which|command)$/.test(arg.listedBy[0] ?? '')
      ? splitsLines({ judging, place: { ...place, before: arg.listedBy } })
      : [],
  )
}

/** Code that is known to install packages, or to be what a file or a pipe holds, says so. */
function inWords({ name, words, place }: Call, effects: readonly Effect[]): readonly Effect[] {
  const what = installsWhat(name, words)
  const file = named(words).at(0)
  return effects.map((each) => {
    if (each.kind !== 'code' && each.kind !== 'network' && each.kind !== 'privilege') return each
    if (what !== null) return { ...each, reason: what }
    if (named(words).slice(0, 2).includes('unpublish'))
      return effect('destroy', `takes a package from all who use it with ${name} unpublish`)
    if (!interpreters.test(name)) return each
    const isFed = place.isPiped && (file === undefined || words.includes('-'))
    if (isFed) return { ...each, runs: '' }
    return file === undefined ? each : { ...each, runs: fileName(file) }
  })
}

const interpreters = /^(?:python[\d.]*|node|ruby|perl|php|zsh|ksh|fish)$/

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
  const file = args.find((arg) => arg.is === 'text' && !/^[-+]/.test(arg.text))
  if (file?.is === 'text' && file.text !== pipeFile)
    return [{ ...effect('code', `runs the shell script ${file.text}`), runs: fileName(file.text) }]
  const reason = place.isPiped
    ? 'runs what comes through a pipe as a command'
    : 'runs a shell script'
  return [{ ...effect('code', reason), runs: '' }]
}

function runsText(): readonly Effect[] {
  return [{ ...effect('code', 'runs a text as a command'), runs: '' }]
}

function runsFile({ args }: Call): readonly Effect[] {
  const [file] = args
  const name = file?.is === 'text' && file.text !== pipeFile ? file.text : null
  const reason = `runs ${name ?? 'what another command prints'} in this shell`
  return [{ ...effect('code', reason), runs: name === null ? '' : fileName(name) }]
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
