import { memo, type CSSProperties } from 'react'
import { parseAnsi, type Look } from './ansi.ts'

/** Output as people read it: coloured text and nothing else. */
export const AnsiText = memo(function AnsiText({ output }: { output: string }) {
  return parseAnsi(output).map(({ text, look }, at) =>
    Object.keys(look).length === 0 ? (
      text
    ) : (
      <span key={at} className={classOf(look)} style={styleOf(look)}>
        {text}
      </span>
    ),
  )
})

function classOf(look: Look): string {
  return Object.entries(look)
    .map(([name, value]) => (value === true ? `ansi-${name}` : `ansi-${name}-${value}`))
    .filter((name) => !name.includes('#'))
    .join(' ')
}

function styleOf({ fg, bg, inverse }: Look): CSSProperties {
  const isMixed = (colour: string | undefined) => colour?.startsWith('#') === true
  const [front, back] = inverse ? [bg, fg] : [fg, bg]
  return {
    ...(isMixed(front) && { color: front }),
    ...(isMixed(back) && { backgroundColor: back }),
  }
}
