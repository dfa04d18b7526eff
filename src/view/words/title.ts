import type { SessionSummary } from '../../protocol/http/session-view.ts'

/** A session without a title is known by what was said first. */
export function titleOf({ title, preview }: Pick<SessionSummary, 'title' | 'preview'>): string {
  const [line = ''] = (title ?? preview ?? '').trim().split('\n', 1)
  return line === '' ? 'New session' : line
}

/** The last folder of a path: enough to tell one workspace from another. */
export function folderName(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? '/'
}
