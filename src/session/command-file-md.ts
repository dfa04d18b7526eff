import type { Expanded } from './command-file.ts'
import { splitWords } from './split-words.ts'
import { quoteWord } from './quote-word.ts'

/** `$ARGUMENTS`, `$1` to `$9`, and a shell command as !`…` at the start of a word. */
const parts = /(?<![^\s(])!`([^`\n]+)`|\$ARGUMENTS\b|\$[1-9](?!\d)/g

export function expandMarkdown(template: string, args: string): Expanded {
  const words = splitWords(args)
  const commands: string[] = []
  let isFilled = false

  function valueOf(placeholder: string): string {
    isFilled = true
    return placeholder === '$ARGUMENTS' ? args : (words[Number(placeholder[1]) - 1] ?? '')
  }

  /** In a command each word stays one word, whatever it holds. */
  function quotedValueOf(placeholder: string): string {
    isFilled = true
    if (placeholder === '$ARGUMENTS') return words.map(quoteWord).join(' ')
    const word = words[Number(placeholder[1]) - 1]
    return word === undefined ? '' : quoteWord(word)
  }

  const text = template.replace(parts, (part: string, command: string | undefined) => {
    if (command === undefined) return valueOf(part)
    if (command.trim() === '') return part
    const filled = command.replace(/\$ARGUMENTS\b|\$[1-9](?!\d)/g, quotedValueOf)
    commands.push(filled)
    return `\`${filled}\` (its output follows)`
  })
  const isLeftOver = !isFilled && args.trim() !== ''
  return { text: isLeftOver ? `${text.trimEnd()}\n\n${args}` : text, commands }
}
