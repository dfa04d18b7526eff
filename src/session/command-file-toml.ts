import type { CommandFile } from './catalogue.ts'
import type { Expanded } from './command-file.ts'
import { quoteWord } from './quote-word.ts'

const placeholder = '{{args}}'

/** `{{args}}`, and a shell command as `!{…}`, whose own braces must match. */
export function expandToml({ name, template }: CommandFile, args: string): Expanded {
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

/** Where the brace that opens here is closed; -1 when it is not. */
function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return -1
}
