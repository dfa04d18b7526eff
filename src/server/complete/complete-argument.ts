import { assertNever } from '../../protocol/assert-never.ts'
import type { CompletionItem, CompletionKind } from '../../protocol/completion.ts'
import { limits } from '../../protocol/limits.ts'
import { quoteArgument } from '../../session/complete-arguments.ts'
import type { Want } from '../../session/complete.ts'
import { folderOf } from './command-folder.ts'
import { inTime } from './in-time.ts'
import { showName } from './show-name.ts'
import type { CompleterDeps, Found } from './source.ts'

type ArgumentWant = Want & { kind: 'argument' }

interface Value {
  value: string
  kind: CompletionKind
  detail?: string
}

/** What there is of the kind that the command declares. */
export async function completeArgument(want: ArgumentWant, deps: CompleterDeps): Promise<Found> {
  const values = await valuesFor(want, deps)
  const items = values
    .filter(
      ({ value, kind }) => isPath(kind) || value.toLowerCase().includes(want.text.toLowerCase()),
    )
    .sort((a, b) => rank(b, want.text) - rank(a, want.text))
    .flatMap((each) => item(each, want.isRest))
  return { items: items.slice(0, limits.completions) }
}

function isPath(kind: CompletionKind): boolean {
  return kind === 'file' || kind === 'folder'
}

function rank({ value }: Value, text: string): number {
  return value.startsWith(text) ? 1 : 0
}

function item({ value, kind, detail }: Value, isRest: boolean): readonly CompletionItem[] {
  // What takes the rest of the line takes it as it is.
  const insert = isRest ? (/\p{Cc}/u.test(value) ? null : value) : quoteArgument(value)
  if (insert === null) return []
  const base = { label: showName(value), insert, kind }
  return [detail === undefined ? base : { ...base, detail: showName(detail) }]
}

async function valuesFor(want: ArgumentWant, deps: CompleterDeps): Promise<readonly Value[]> {
  const { kind, choices = [] } = want.argument
  switch (kind) {
    case 'choice':
      return choices.map((value) => ({ value, kind: 'choice' }))
    case 'repo':
      return repos(deps)
    case 'model':
      return (await inTime(deps.models(), [])).map((value) => ({ value, kind: 'model' }))
    case 'skill':
      return (await deps.world()).skills.map(({ name, description }) => {
        return { value: name, kind: 'skill', detail: description }
      })
    case 'task':
      return (await deps.tasks()).map(({ id, title }) => ({
        value: id,
        kind: 'task',
        detail: title,
      }))
    case 'folder':
    case 'file':
      return paths(want, deps)
    case 'text':
    case 'time':
    case 'shell':
      return []
    default:
      return assertNever(kind)
  }
}

async function repos(deps: CompleterDeps): Promise<readonly Value[]> {
  const { repos } = await deps.world()
  return repos.map(({ name, path }) => ({ value: name, kind: 'repo', detail: path }))
}

async function paths(want: ArgumentWant, deps: CompleterDeps): Promise<readonly Value[]> {
  const base = want.place === null ? deps.place().workspace : await folderOf(want.place, deps)
  const found = await deps.paths({
    text: want.text,
    base,
    home: deps.env['HOME'] ?? null,
    foldersOnly: want.argument.kind === 'folder',
    limit: limits.completions,
  })
  return found.map(({ path, isFolder }) => ({ value: path, kind: isFolder ? 'folder' : 'file' }))
}
