import { useEffect, useState } from 'react'

/** A stretch of code with the class that the highlighter gave it. */
export interface Painted {
  text: string
  className: string
}

/** Longer code is read as text: painting it would hold up the page. */
const longest = 20_000

/** The highlighter is loaded when the first block of code is complete. */
const load = () => import('./languages.ts')

/** The code's stretches once it is complete and its language is known; null until then. */
export function usePainted(
  code: string,
  language: string,
  isOpen: boolean,
): readonly Painted[] | null {
  const [painted, setPainted] = useState<readonly Painted[] | null>(null)
  useEffect(() => {
    if (isOpen || language === '' || code.length > longest) return
    let isWanted = true
    void load().then(({ paint }) => {
      if (isWanted) setPainted(paint(code, language))
    })
    return () => {
      isWanted = false
    }
  }, [code, language, isOpen])
  return painted
}
