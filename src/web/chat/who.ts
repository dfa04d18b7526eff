import type { By } from '../../protocol/by.ts'
import type { RunEntry } from '../../view/entry.ts'

/** Who it was, as people read it: a name, the client it came from, or the kind. */
export function whoOf({ kind, name, client }: By): string {
  if (kind === 'model') return 'the model'
  if (kind === 'system') return 'Tandem'
  return name ?? (client === undefined || client === 'web' ? 'you' : client)
}

/** It came from another program than the page one looks at. */
export const isElsewhere = ({ kind, client }: By): boolean =>
  kind === 'user' && client !== undefined && client !== 'web'

/** What stands before a command: how it was asked for. */
const signs: Readonly<Record<RunEntry['source'], string>> = {
  bang: '!',
  slash: '/shell ',
  model: '',
  bash: '',
  api: '',
  mcp: '',
  acp: '',
  typed: '',
}

/** "/shell git status (repo: backend)": a run's own words. */
export function runTitle({ source, command, repo, private: isPrivate }: RunEntry): {
  sign: string
  command: string
  repo: string
} {
  const sign = source === 'bang' && isPrivate ? '!!' : signs[source]
  return { sign, command, repo: repo === null ? '' : ` (repo: ${repo})` }
}

const tags: Readonly<Partial<Record<RunEntry['source'], string>>> = {
  model: 'model',
  typed: 'typed',
  bash: 'bash',
  api: 'api',
  mcp: 'mcp',
  acp: 'editor',
}

export const sourceTag = (source: RunEntry['source']) => tags[source] ?? null
