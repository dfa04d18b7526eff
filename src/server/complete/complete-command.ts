import fuzzysort from 'fuzzysort'
import type { CommandInfo, CompletionItem } from '../../protocol/completion.ts'
import { limits } from '../../protocol/limits.ts'

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
  return [...new Set([...begin, ...alias, ...fuzzy])].slice(0, limits.completions).map(item)
}

function item({ name, summary, source }: CommandInfo): CompletionItem {
  return {
    label: `/${name}`,
    insert: `/${name}`,
    kind: source === 'skill' ? 'skill' : 'command',
    detail: summary,
  }
}
