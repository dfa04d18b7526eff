import { useEffect, useState } from 'react'

/** A stretch of code with the class that the highlighter gave it. */
export interface Painted {
  text: string
  className: string
}

/** What is longer is read as text: painting it would hold up the page, a long line with its square. */
const longest = 20_000
const longestLine = 500

function isPaintable(code: string): boolean {
  return code.length <= longest && code.split('\n').every(({ length }) => length <= longestLine)
}

/** The highlighter is loaded when the first block of code is complete. */
const load = () => import('./languages.ts')

/** The code's stretches once it is complete and its language is known; null until then. */
export function usePainted(
  code: string,
  language: string,
  isOpen: boolean,
): readonly Painted[] | null {
  const [painted, setPainted] = useState<{ code: string; as: readonly Painted[] | null } | null>(
    null,
  )
  useEffect(() => {
    if (isOpen || language === '' || !isPaintable(code)) return
    let isWanted = true
    load().then(
      ({ paint }) => isWanted && setPainted({ code, as: paint(code, language) }),
      // Without colours it is read just as well.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [code, language, isOpen])
  return painted?.code === code ? painted.as : null
}
