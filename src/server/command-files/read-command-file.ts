import { parse } from 'smol-toml'
import type { CommandFile } from '../../session/catalogue.ts'
import { readFrontmatter } from '../../skill/frontmatter.ts'
import { plainLine, plainText } from '../../skill/plain-text.ts'

type Read = Pick<CommandFile, 'description' | 'template'>

/** What a command file says; null when it says nothing or cannot be read. */
export async function readCommandFile(
  text: string,
  syntax: CommandFile['syntax'],
): Promise<Read | null> {
  const read = syntax === 'md' ? await readMarkdown(text) : readToml(text)
  if (read === null || read.template.trim() === '') return null
  const template = plainText(read.template)
  return { template, description: cut(plainLine(read.description) || firstLine(template)) }
}

async function readMarkdown(text: string): Promise<Read | null> {
  const read = await readFrontmatter(text.replace(bracketed, quoteHint))
  if (!read.ok) return null
  const { fields, body } = read.value
  const hint = fields.get('argument-hint') ?? ''
  const description = fields.get('description') ?? ''
  return {
    template: body.trim(),
    description: hint === '' ? description : `${description || firstLine(body)} ${hint}`,
  }
}

/** `argument-hint: [file] [style]` is meant as it stands there; YAML would see lists. */
const bracketed = /^(argument-hint:[ \t]+)(\[[^\n]*?)[ \t\r]*$/m

function quoteHint(_line: string, key: string, hint: string): string {
  return key + JSON.stringify(hint)
}

function readToml(text: string): Read | null {
  try {
    const { prompt, description } = parse(text)
    if (typeof prompt !== 'string') return null
    return { template: prompt, description: typeof description === 'string' ? description : '' }
  } catch {
    return null
  }
}

function firstLine(text: string): string {
  return plainLine(/\S[^\n]*/.exec(text)?.[0] ?? '').replace(/^#+ /, '')
}

/** It stands in a list, beside its name. */
const descriptionChars = 200

function cut(line: string): string {
  return line.length <= descriptionChars ? line : `${line.slice(0, descriptionChars - 1)}…`
}
