import { readModels } from '../../client/server.ts'
import type { ModelInfo } from '../../protocol/http/server-routes.ts'
import { attach } from '../attach.ts'
import type { Io } from '../io.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'

/** A provider may have hundreds; the rest is in --json. */
const shown = 10

/** `tandem models`: what is set up, and whether it answers. */
export async function modelsCommand(io: Io, { json }: { json?: boolean }): Promise<void> {
  const { client } = await attach(io)
  const found = await readModels(client, { fresh: 'true' })
  if (json) io.out(`${JSON.stringify(found)}\n`)
  else {
    io.out(`A new session talks to ${printableLine(found.current)}.\n`)
    for (const provider of found.providers) io.out(`\n${describe(provider)}`)
    const more = (found.presets ?? []).map(({ id }) => id).join(', ')
    if (more !== '') io.out(`\nAdd one with its key: tandem models add NAME\n    ${more}\n`)
  }
}

function describe(provider: ModelInfo): string {
  const { label, reachable, configured, problem, models, warnings = [] } = provider
  const mark = reachable ? '✓' : configured ? '✗' : '–'
  const head = `${mark} ${label}${problem === null ? '' : `: ${problem}`}\n`
  const more = models.length > shown ? [`… and ${models.length - shown} more`] : []
  const sized = (name: string) => {
    const context = provider.contexts?.[name]
    const size = context === undefined ? '' : `  (${Math.round(context / 1_000)}k tokens)`
    const usual = name === provider.default && models.length > 1 ? '  (default)' : ''
    return `${printableLine(name)}${size}${usual}`
  }
  const names = [
    ...models.slice(0, shown).map(sized),
    ...more,
    ...warnings.map((text) => `! ${text}`),
  ]
  return head + names.map((name) => `    ${name}\n`).join('')
}
