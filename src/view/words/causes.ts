import type { AskCause } from '../../protocol/events/ask.ts'

interface Caused {
  command: string
  cwd: string | null
  causes?: readonly AskCause[] | undefined
}

/** More places than this are no longer read. */
const maxShown = 4

/**
 * The part of the command that a reason is of, and the real places that it is about: «rm -rf build → /mnt/cache/build».
 * A place is told only where neither the reason nor the words typed say it; null when nothing is left to tell.
 */
export function causeLine({ command, cwd, causes = [] }: Caused, reason: string): string | null {
  const cause = causes.find((each) => each.reason === reason)
  if (cause === undefined) return null
  const { part = null, targets = [] } = cause
  const said = wordsOf(`${part ?? command} ${reason}`)
  const news = targets.filter((target) => !isSaid(target, { said, cwd }))
  const more = news.length > maxShown ? ' …' : ''
  const where = news.length === 0 ? [] : [`→ ${news.slice(0, maxShown).join(', ')}${more}`]
  const line = [...(part === null ? [] : [part]), ...where].join(' ')
  return line === '' ? null : line
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.split(/[\s'"<>|;&(),]+/)
  return new Set(words.map((word) => word.replace(/^\.\/(?=.)/, '').replace(/(?<=.)\/+$/, '')))
}

function isSaid(
  target: string,
  { said, cwd }: { said: ReadonlySet<string>; cwd: string | null },
): boolean {
  if (said.has(target)) return true
  if (cwd !== null && target.startsWith(`${cwd}/`) && said.has(target.slice(cwd.length + 1)))
    return true
  // In a reason the home is a tilde.
  return [...said].some((word) => word.startsWith('~/') && target.endsWith(word.slice(1)))
}
