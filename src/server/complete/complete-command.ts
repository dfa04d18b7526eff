import type {
  ArgumentInfo,
  CommandInfo,
  CompletionItem,
  CompletionKind,
} from '../../protocol/http/completion.ts'
import { localCommands } from '../../protocol/local-commands.ts'
import type { World } from '../../session/catalogue.ts'
import { actionName, type Argument, type Grammar } from '../../session/commands/grammar.ts'
import { commands } from '../../session/commands/registry.ts'
import { assertNever } from '../../base/assert-never.ts'
import { limits } from '../../protocol/limits.ts'
import { quoteArgument } from '../../session/complete/arguments.ts'
import type { CommandPlace, Want } from '../../session/complete/complete.ts'
import { folderOf, inTime, showName, type CompleterDeps, type Found } from './source.ts'
import fuzzysort from 'fuzzysort'

const restOfLine: ArgumentInfo = { name: 'text', kind: 'text', place: 'rest', isOptional: true }

/** Everything that can be typed as `/name`; a name is what it is routed to first. */
export function listCommands(world: Pick<World, 'skills' | 'files'>): readonly CommandInfo[] {
  const all: readonly CommandInfo[] = [
    ...commands.map(({ name, aliases = [], usage, summary, reachesModel, grammar = {} }) => ({
      name,
      aliases: [...aliases],
      usage,
      summary,
      source: 'session' as const,
      reachesModel,
      arguments: argumentsOf(grammar),
    })),
    ...localCommands.map(({ name, summary }) => ({
      name,
      aliases: [],
      usage: `/${name}`,
      summary,
      source: 'local' as const,
      reachesModel: false,
      arguments: [],
    })),
    ...world.files.map(({ name, description }) => typed(name, description, 'file')),
    ...world.skills.map(({ name, description }) => typed(name, description, 'skill')),
  ]
  const seen = new Set(commands.flatMap(({ aliases = [] }) => aliases))
  return all.filter(({ name }) => !seen.has(name) && seen.add(name))
}

function typed(name: string, summary: string, source: 'file' | 'skill'): CommandInfo {
  const usage = `/${name} [text]`
  return { name, aliases: [], usage, summary, source, reachesModel: true, arguments: [restOfLine] }
}

/** A command with actions lists them; the usage says what each takes. */
function argumentsOf({ flags = [], words = [], rest, actions }: Grammar): ArgumentInfo[] {
  const choices = actions && Object.keys(actions.of)
  const action: Argument[] = choices
    ? [{ name: actionName, kind: 'choice', choices, optional: true }]
    : []
  return [
    ...flags.map((each) => ({ ...info(each, 'flag'), isOptional: true })),
    ...[...action, ...words].map((each) => info(each, 'word')),
    ...(rest ? [info(rest, 'rest')] : []),
  ]
}

function info(
  { name, kind, choices, optional }: Argument,
  place: ArgumentInfo['place'],
): ArgumentInfo {
  const base = { name, kind, place, isOptional: optional === true }
  return choices === undefined ? base : { ...base, choices: [...choices] }
}

type ArgumentWant = Want & { kind: 'argument' }

type Value = { value: string } & Pick<CompletionItem, 'kind' | 'detail'>

/** Completes an argument by the kind that the command declares. */
export async function completeArgument(want: ArgumentWant, deps: CompleterDeps): Promise<Found> {
  const values = await valuesFor(want, deps)
  const rank = ({ value }: Value) => (value.startsWith(want.text) ? 1 : 0)
  const items = values
    .filter(
      ({ value, kind }) => isPath(kind) || value.toLowerCase().includes(want.text.toLowerCase()),
    )
    .sort((a, b) => rank(b) - rank(a))
    .flatMap((each) => argumentItem(each, want.isRest))
  return { items: items.slice(0, limits.completions) }
}

function isPath(kind: CompletionKind): boolean {
  return kind === 'file' || kind === 'folder'
}

function argumentItem({ value, kind, detail }: Value, isRest: boolean): readonly CompletionItem[] {
  // An argument that takes the rest of the line is not quoted.
  const insert = isRest ? (/\p{Cc}/u.test(value) ? null : value) : quoteArgument(value)
  if (insert === null) return []
  const base = { label: showName(value), insert, kind }
  return [detail === undefined ? base : { ...base, detail: showName(detail) }]
}

async function valuesFor(want: ArgumentWant, deps: CompleterDeps): Promise<readonly Value[]> {
  const { kind, choices = [] } = want.argument
  switch (kind) {
    case 'choice':
      return choices.map((value) => ({ value, kind: 'choice' }))
    case 'repo':
      return (await deps.world()).repos.map(({ name, path }) => {
        return { value: name, kind: 'repo', detail: path }
      })
    case 'model':
      return (await inTime(deps.models(), [])).map((value) => ({ value, kind: 'model' }))
    case 'skill':
      return (await deps.world()).skills.map(({ name, description }) => {
        return { value: name, kind: 'skill', detail: description }
      })
    case 'task':
      return (await deps.tasks()).map(({ id, title }) => {
        return { value: id, kind: 'task', detail: title }
      })
    case 'folder':
    case 'file':
      return paths(want, deps)
    case 'text':
    case 'time':
    case 'shell':
      return []
    default:
      return assertNever(kind)
  }
}

async function paths(want: ArgumentWant, deps: CompleterDeps): Promise<readonly Value[]> {
  const base =
    want.place === null ? deps.place().workspace : await folderOf(rootOf(want.place), deps)
  const found = await deps.paths({
    text: want.text,
    base,
    home: deps.env['HOME'] ?? null,
    foldersOnly: want.argument.kind === 'folder',
    limit: limits.completions,
  })
  return found.map(({ path, isFolder }) => ({ value: path, kind: isFolder ? 'folder' : 'file' }))
}

/** A folder that is still to be named is one of the repo’s, wherever the session is in it. */
const rootOf = (place: CommandPlace): CommandPlace =>
  place === 'terminal' ? place : { ...place, cwd: place.cwd ?? '.' }

/** Commands by name or alias: those that begin so before those that only have the letters. */
export function completeCommand(
  text: string,
  commands: readonly CommandInfo[],
): readonly CompletionItem[] {
  const wanted = text.toLowerCase()
  const begin = commands.filter(({ name }) => name.startsWith(wanted))
  const alias = commands.filter(({ aliases }) =>
    aliases.some((each) => wanted !== '' && each.startsWith(wanted)),
  )
  const fuzzy =
    wanted === ''
      ? []
      : fuzzysort
          .go(wanted, commands, { key: 'name', threshold: 0, limit: limits.completions })
          .map(({ obj }) => obj)
  return [...new Set([...begin, ...alias, ...fuzzy])].slice(0, limits.completions).map(commandItem)
}

function commandItem({ name, summary, source }: CommandInfo): CompletionItem {
  return {
    label: `/${name}`,
    insert: `/${name}`,
    kind: source === 'skill' ? 'skill' : 'command',
    detail: summary,
  }
}
