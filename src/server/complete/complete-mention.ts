import { isAbsolute, relative } from 'node:path'
import type { CompletionItem } from '../../protocol/completion.ts'
import { limits } from '../../protocol/limits.ts'
import { quoteMention } from '../../session/complete-mention.ts'
import { findMentions } from '../../session/mentions.ts'
import type { IndexedNames } from './file-index.ts'
import { inTime } from './in-time.ts'
import { noNames } from './name-list.ts'
import { rankFiles } from './rank-files.ts'
import { showName } from './show-name.ts'
import type { CompleterDeps, Found } from './source.ts'

/** The first listing of a large workspace may take a while. */
const notYet: IndexedNames = { list: noNames, isWhole: false }
/** Of the last prompts it is looked which files they named. */
const lookedPrompts = 200

/** Files and folders of the workspace by their letters; others by their path. */
export async function completeMention(text: string, deps: CompleterDeps): Promise<Found> {
  const { workspace } = deps.place()
  if (/^(?:~?\/|\.{1,2}\/)/.test(text)) {
    const home = deps.env['HOME'] ?? null
    const found = await deps.paths({ text, base: workspace, home, limit: limits.completions })
    return { items: found.flatMap(({ path }) => item(path)) }
  }
  const { list, isWhole } = await inTime(deps.files.names(workspace), notYet)
  const ranked = rankFiles(list, text, {
    near: nearOf(deps),
    recent: await recentMentions(deps),
    limit: limits.completions,
  })
  return { items: ranked.flatMap(item), isPartial: !isWhole }
}

function item(path: string): readonly CompletionItem[] {
  const insert = quoteMention(path)
  if (insert === null) return []
  return [{ label: showName(path), insert, kind: path.endsWith('/') ? 'folder' : 'file' }]
}

/** The shell’s folder as the workspace sees it. */
function nearOf(deps: CompleterDeps): string {
  const { workspace, cwd } = deps.place()
  const inside = cwd === null ? '' : relative(workspace, cwd)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? '' : `${inside}/`
}

async function recentMentions(deps: CompleterDeps): Promise<readonly string[]> {
  const past = (await deps.past('chat')).slice(0, lookedPrompts)
  const paths = past.flatMap(({ text }) =>
    findMentions(text).flatMap((readings) => readings.map(({ path }) => path)),
  )
  return [...new Set(paths)]
}
