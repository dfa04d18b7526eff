import { useLoaded } from '../state/use-store.ts'

/** A stretch of code with the class that the highlighter gave it. */
export interface Painted {
  text: string
  className: string
}

/** Longer code is read as text: painting it would hold up the page, a long line with its square. */
const longest = 20_000
const longestLine = 500

function isPaintable(code: string): boolean {
  return code.length <= longest && code.split('\n').every(({ length }) => length <= longestLine)
}

/** The code's stretches once it is complete and its language is known; null until then. */
export function usePainted(
  code: string,
  language: string,
  isOpen: boolean,
): readonly Painted[] | null {
  const load = async () => {
    if (isOpen || language === '' || !isPaintable(code)) return null
    // The highlighter is loaded when the first block of code is complete.
    const { paint } = await import('./languages.ts')
    return { code, as: paint(code, language) }
  }
  const painted = useLoaded(null, load, [code, language, isOpen])
  return painted?.code === code ? painted.as : null
}
