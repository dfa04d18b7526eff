import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import type { Painted } from './highlight.ts'

const languages = {
  bash,
  css,
  diff,
  go,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(languages))
  highlighter.registerLanguage(name, language)

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/** Null for a language we do not know. */
export function paint(code: string, language: string): readonly Painted[] | null {
  if (!highlighter.getLanguage(language)) return null
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true })
  return stretchesOf(value)
}

/** Its markup is spans and five entities; it is read as text here and never becomes markup. */
function stretchesOf(markup: string): readonly Painted[] {
  const open: string[] = []
  const stretches: Painted[] = []
  for (const [part] of markup.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (part === '</span>') open.pop()
    else if (part.startsWith('<span')) open.push(part.slice(13, -2))
    else {
      const text = part.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (each) => entities[each] ?? each)
      stretches.push({ text, className: open.at(-1) ?? '' })
    }
  }
  return stretches
}
