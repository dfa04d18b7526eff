import { ok, refused, type Result } from '../base/result.ts'
import { skillLimits } from '../protocol/skill-limits.ts'

export interface Document {
  /** The text values of the first level; others are not for us. */
  fields: ReadonlyMap<string, string>
  /** The text behind the second `---`. */
  body: string
}

const block = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/

/** A Markdown file with YAML between two `---` at its start; without them all of it is the body. */
export async function readFrontmatter(text: string): Promise<Result<Document, string>> {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const found = block.exec(plain)
  if (found === null) return ok({ fields: new Map(), body: plain })
  const yaml = found[1] ?? ''
  if (yaml.length > skillLimits.frontmatterChars)
    return refused(`its frontmatter is longer than ${skillLimits.frontmatterChars} characters`)
  const fields = readPlainLines(yaml) ?? (await readYaml(yaml))
  return fields instanceof Map
    ? ok({ fields, body: plain.slice(found[0].length) })
    : refused(fields)
}

const simpleLine = /^([\w-]+): +([A-Za-z0-9(](?:[^:#\t]|:(?=[^\s:#])|(?<=[^\s])#)*)$/

/**
 * Most are nothing but `key: plain text`. To read these without the YAML reader spares the `skill`
 * program a third of its start; null when there is more to it.
 */
function readPlainLines(yaml: string): Map<string, string> | null {
  const fields = new Map<string, string>()
  for (const line of yaml.split('\n')) {
    const [, key, value] = simpleLine.exec(line) ?? []
    if (key === undefined || value === undefined || fields.has(key)) return null
    fields.set(key, value.trimEnd())
  }
  return fields
}

/** A line `key: text` whose text has another colon and no sign that it is more than text. */
const bareColon = /^([\w-]+):[ \t]+([^\s"'|>[\]{}&*!%@`#][^\n]*:[^\n]*)$/gm

/** A string is what is wrong with it. */
async function readYaml(yaml: string): Promise<Map<string, string> | string> {
  const { parseDocument } = await import('yaml')
  const read = (text: string): Map<string, string> | string => {
    const document = parseDocument(text, { schema: 'failsafe', logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) return `its frontmatter is no YAML: ${firstLine(error)}`
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    if (value === null || value === '') return new Map()
    if (typeof value !== 'object' || Array.isArray(value))
      return 'its frontmatter is not a list of `key: value` lines'
    return new Map(Object.entries(value ?? {}).filter(isText))
  }
  try {
    const strict = read(yaml)
    if (strict instanceof Map) return strict
    // People write `description: Use it when: …`, which is no YAML but plain to read.
    const quoted = yaml.replace(
      bareColon,
      (_, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`,
    )
    const mended = read(quoted)
    return mended instanceof Map ? mended : strict
  } catch (error) {
    return `its frontmatter is no YAML: ${firstLine(error)}`
  }
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n', 1)[0]?.replace(/:$/, '') ?? ''
}
