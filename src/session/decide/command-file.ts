import { limits } from '../../protocol/limits.ts'
import type { CommandFile } from '../catalogue.ts'

/** A prompt made from a file: its text, and the shell commands whose output it asks for, in order. */
interface Expanded {
  text: string
  commands: readonly string[]
}

/** Whether the expanded file would be longer than an input may be: it may repeat what was typed. */
export function isTooLong({ template }: CommandFile, args: string): boolean {
  const places = template.match(/\$ARGUMENTS|\$[1-9]|\{\{args\}\}/g)?.length ?? 0
  return template.length + Math.max(places, 1) * args.length > limits.inputChars
}

/** Fills in what was typed behind the name. Text that comes in that way is never looked through again. */
export function expandCommandFile(file: CommandFile, args: string): Expanded {
  return file.syntax === 'md' ? expandMarkdown(file.template, args) : expandToml(file, args)
}

/** `$ARGUMENTS`, `$1` to `$9`, and a shell command as !`…` at the start of a word. */
const parts = /(?<![^\s(])!`([^`\n]+)`|\$ARGUMENTS\b|\$[1-9](?!\d)/g

function expandMarkdown(template: string, args: string): Expanded {
  const words = splitWords(args)
  const commands: string[] = []
  let isFilled = false

  function valueOf(placeholder: string): string {
    isFilled = true
    return placeholder === '$ARGUMENTS' ? args : (words[Number(placeholder[1]) - 1] ?? '')
  }

  /** The value inside a command, where each word stays one word, whatever it holds. */
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

const placeholder = '{{args}}'

/** `{{args}}`, and a shell command as `!{…}`, whose own braces must match. */
function expandToml({ name, template }: CommandFile, args: string): Expanded {
  const commands: string[] = []
  const texts: string[] = []
  let at = 0
  for (;;) {
    const open = template.indexOf('!{', at)
    const close = open === -1 ? -1 : closingBrace(template, open + 1)
    if (close === -1) break
    const command = template.slice(open + 2, close).trim()
    texts.push(template.slice(at, open).replaceAll(placeholder, () => args))
    if (command !== '') {
      const filled = command.replaceAll(placeholder, () => quoteWord(args))
      commands.push(filled)
      texts.push(`\`${filled}\` (its output follows)`)
    }
    at = close + 1
  }
  texts.push(template.slice(at).replaceAll(placeholder, () => args))
  const text = texts.join('')
  const isLeftOver = !template.includes(placeholder) && args.trim() !== ''
  return { text: isLeftOver ? `${text.trimEnd()}\n\n/${name} ${args}` : text, commands }
}

/** The place of the brace that closes the one at `open`; -1 when there is none. */
function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

/** Words between blanks; one in quotes may hold blanks. An apostrophe in a word is no quote. */
function splitWords(text: string): readonly string[] {
  const words = text.matchAll(/(?<!\S)(?:"([^"]*)"|'([^']*)')(?!\S)|\S+/g)
  return [...words].map(([word, double, single]) => double ?? single ?? word)
}

/**
 * A text as one word of a command. A backslash stays outside the quotes, where fish means by it
 * what others do.
 */
function quoteWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `'${text.replace(/['\\]/g, String.raw`'\$&'`)}'`
}
