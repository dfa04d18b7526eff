import type { ArgumentInfo, CommandInfo } from '../../protocol/completion.ts'
import { localCommands } from '../../protocol/local-commands.ts'
import type { World } from '../../session/catalogue.ts'
import { actionName, type Argument, type Grammar } from '../../session/commands/grammar.ts'
import { commands } from '../../session/commands/registry.ts'

const restOfLine: ArgumentInfo = { name: 'text', kind: 'text', place: 'rest', isOptional: true }

/** Everything that can be typed as `/name`; a name is what it is routed to first. */
export function listCommands({
  skills,
  files,
}: Pick<World, 'skills' | 'files'>): readonly CommandInfo[] {
  const all: readonly CommandInfo[] = [
    ...commands.map(({ name, aliases, usage, summary, reachesModel, grammar }) => ({
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
    ...files.map(({ name, description }) => typed(name, description, 'file')),
    ...skills.map(({ name, description }) => typed(name, description, 'skill')),
  ]
  const seen = new Set(commands.flatMap(({ aliases }) => aliases))
  return all.filter(({ name }) => !seen.has(name) && seen.add(name))
}

function typed(name: string, summary: string, source: 'file' | 'skill'): CommandInfo {
  const usage = `/${name} [text]`
  return { name, aliases: [], usage, summary, source, reachesModel: true, arguments: [restOfLine] }
}

/** Of a command with actions, which there are; what each takes stands in the usage. */
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
