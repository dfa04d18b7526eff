import { memo } from 'react'
import { CopyButton } from '../text/copy-button.tsx'
import { usePainted } from './highlight.ts'

interface CodeBlockProps {
  code: string
  language: string
  /** More may come; colours wait until it is complete. */
  isOpen: boolean
}

export const CodeBlock = memo(function CodeBlock({ code, language, isOpen }: CodeBlockProps) {
  const [name = ''] = language.split(/\s/, 1)
  const painted = usePainted(code, name.toLowerCase(), isOpen)
  return (
    <figure className="code-block">
      <figcaption>
        <span>{name || 'text'}</span>
        <CopyButton text={() => code} label="Copy code" />
      </figcaption>
      <pre tabIndex={0} aria-label={`Code, ${name || 'text'}`}>
        <code>
          {painted
            ? painted.map(({ text, className }, at) => (
                <span key={at} className={className}>
                  {text}
                </span>
              ))
            : code}
        </code>
      </pre>
    </figure>
  )
})
