import type { Redirection, RedirectOperator } from 'unbash'
import { effect, type Effect } from './effect.ts'
import type { Judging } from './judging.ts'
import { readsFiles } from './paths.ts'
import { shows } from './programs/spec.ts'
import { writesFile } from './writes/write-path.ts'
import { type Argument, argumentsOf } from './syntax/argument.ts'
import { known, type Place } from './syntax/place.ts'

const nowhere = new Set(['/dev/null', '/dev/stdout', '/dev/stderr'])

/** The file that a redirection reads or writes. */
export function judgeRedirect(
  judging: Judging,
  redirection: Redirection,
  place: Place,
): readonly Effect[] {
  if (redirection.descriptor?.type === 'FileDescriptorVariable')
    return [effect('state', 'opens a file for the shell')]
  if (redirection.type === 'HereDoc') return []
  if (redirection.target === undefined) return [effect('unclear', 'redirects to nothing')]
  const [target, ...more] = argumentsOf(redirection.target, known(place))
  if (target === undefined || more.length > 0)
    return [effect('unclear', 'redirects to several files')]
  if (redirection.type === 'HereString') return shows(target)
  return opens(judging, { operator: redirection.operator, target, place })
}

function opens(
  judging: Judging,
  { operator, target, place }: { operator: RedirectOperator; target: Argument; place: Place },
): readonly Effect[] {
  const text = target.is === 'text' ? target.text : ''
  if (/^\/dev\/(?:tcp|udp)\b/.test(text)) return [effect('network', `opens a connection: ${text}`)]
  // To `sh` it is a command in the background, and a redirection of nothing.
  if (place.isPosix === true && operator.startsWith('&>'))
    return [effect('unclear', 'redirects in a way that sh does not know')]
  if (isHarmless(operator, text)) return []
  if (operator === '>&' && /^\d+$/.test(text))
    return [effect('unclear', 'writes to another file of the shell')]
  switch (operator) {
    case '<':
      return readsFiles(judging, place.cwds, target)
    case '>>':
    case '&>>':
      return writesFile(judging, { file: target, place, how: 'add' })
    case '>':
    case '>|':
    case '>&':
    case '&>':
      return writesFile(judging, { file: target, place, how: 'write' })
    case '<&':
    case '<>':
      return [effect('unclear', 'opens a file or another file of the shell')]
    default:
      operator satisfies never
      return [effect('unclear', 'redirects in an unknown way')]
  }
}

/** Nothing is kept, or goes where the terminal is anyhow. */
function isHarmless(operator: RedirectOperator, target: string): boolean {
  if (operator === '<&') return /^(?:\d|-)$/.test(target)
  if (operator === '>&') return /^(?:[12]|-)$/.test(target)
  return operator !== '<' && operator !== '<>' && nowhere.has(target)
}
