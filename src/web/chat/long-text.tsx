import { useState, type ReactNode } from 'react'
import { collapse } from '../../view/text/collapse.ts'

interface LongTextProps {
  text: string
  draw?: (text: string) => ReactNode
}

/** A text whose rest is there when somebody asks for it. */
export function LongText({ text, draw = (part) => part }: LongTextProps) {
  const [isWhole, setWhole] = useState(false)
  const { shown, hiddenLines } = collapse(text)
  return (
    <>
      {draw(isWhole ? text : shown)}
      {hiddenLines > 0 && (
        <button className="link-button show-more" type="button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show more (${linesOf(hiddenLines)})`}
        </button>
      )}
    </>
  )
}

export const linesOf = (count: number): string => (count === 1 ? '1 line' : `${count} lines`)
