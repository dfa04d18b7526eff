import { effect, type Effect } from './effect.ts'

/**
 * A script that is got from the network and run is one effect, not two. Within a pipe or one command it is what goes
 * from one to the other; within a whole text it is a file by its name.
 */
export function joinFetched(
  effects: readonly Effect[],
  { files = false }: { files?: boolean } = {},
): readonly Effect[] {
  const isJoin = (name: string | undefined) => name !== undefined && (name !== '') === files
  const fetched = effects.filter(({ fetches }) => isJoin(fetches))
  const run = effects.filter(
    ({ runs }, at) => isJoin(runs) && isFetched(effects.slice(0, at), runs),
  )
  const [first] = fetched.filter(({ fetches }) => run.some(({ runs }) => runs === fetches))
  if (first === undefined) return effects
  const root = run.find(({ kind }) => kind === 'privilege')
  const from = first.reason.split(' ').at(-1) ?? ''
  const where = /^[a-z]+:\/\/\S+$|^[\w.-]+\.\w+\S*$/.test(from) ? `: ${from}` : ''
  const as = root === undefined ? '' : ' as root'
  const joined: Effect = {
    ...effect(
      root === undefined ? 'code' : 'privilege',
      `runs a script from the network${as}${where}`,
    ),
    ...(files && first.source !== undefined && { source: first.source }),
  }
  const gone = new Set([...fetched, ...run])
  return effects.flatMap((each) => (each === first ? [joined] : gone.has(each) ? [] : [each]))
}

function isFetched(before: readonly Effect[], file: string | undefined): boolean {
  return before.some(({ fetches }) => fetches !== undefined && fetches === file)
}
