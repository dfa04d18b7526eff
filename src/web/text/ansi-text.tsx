import { memo, type CSSProperties } from 'react'
import type { Look, Stretch } from './ansi.ts'

/** Output as people read it: coloured text and nothing else. */
export const AnsiText = memo(function AnsiText({ stretches }: { stretches: readonly Stretch[] }) {
  return stretches.map(({ text, look }, at) =>
    Object.keys(look).length === 0 ? (
      text
    ) : (
      <span key={at} className={classOf(look)} style={styleOf(look)}>
        {text}
      </span>
    ),
  )
})

const classOf = (look: Look): string =>
  Object.keys(look)
    .map((name) => `ansi-${name}`)
    .join(' ')

function styleOf({ fg, bg, inverse }: Look): CSSProperties {
  const front = fg === undefined ? undefined : named(fg, '--ansi-')
  const back = bg === undefined ? undefined : named(bg, '--ansi-ground-')
  if (inverse) return { color: back ?? 'var(--ink)', backgroundColor: front ?? 'var(--ink-text)' }
  // Our grounds are dark ones: what is black on a colour elsewhere is white on it here.
  if (back !== undefined && fg === '0') return { color: 'var(--ansi-15)', backgroundColor: back }
  return { color: front, backgroundColor: back }
}

/** The first sixteen are the theme's. */
const named = (colour: string, names: string) =>
  colour.startsWith('#') ? colour : `var(${names}${colour})`
