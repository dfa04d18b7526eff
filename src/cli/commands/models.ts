import { readModels, addProvider, removeProvider, testProvider } from '../../client/server.ts'
import type { ModelInfo, PresetInfo, TriedProvider } from '../../protocol/http/server-routes.ts'
import { attach } from '../attach.ts'
import { type Io, isInteractive, question, secretQuestion } from '../io.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { readLines } from '../text/read-lines.ts'

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

interface AddModelOptions {
  url?: string
  model?: string
  wire?: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'
  /** Keep it though the test call fails. */
  force?: boolean
}

/** `tandem models add NAME`: asks for the key, or reads it from stdin; an argument would be seen by every process. */
export async function addModel(io: Io, name: string, options: AddModelOptions): Promise<number> {
  const { client } = await attach(io)
  const { presets = [], providers } = await readModels(client)
  const preset = presets.find(({ id }) => id === name)
  const isPlaced = providers.some((one) => one.provider === name && one.needsAddress !== true)
  const baseUrl = options.url ?? (isPlaced ? undefined : await askedAddress(io, preset, name))
  const key = await readKey(io, preset?.label ?? name)
  const tried = await addProvider(client, name, {
    ...bodyOf(options),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(key !== '' && { key }),
  })
  io.out(`${printableLine(tried.says)}\n`)
  io.note(nextStep(tried))
  return tried.works ? exitCode.ok : exitCode.config
}

function bodyOf({ wire, model, force }: AddModelOptions) {
  return {
    ...(wire !== undefined && { wire }),
    ...(model !== undefined && { models: [model] }),
    keep: force ? ('always' as const) : ('if-works' as const),
  }
}

function nextStep({ works, model, kept }: TriedProvider): string {
  if (works && model !== null)
    return `New sessions talk to it. In one that is open: /model ${printableLine(model)}`
  return kept ? 'It is kept all the same.' : 'Nothing was kept. To keep it all the same: --force'
}

/** `tandem models test NAME`: whether a provider works, in one sentence. */
export async function testModel(io: Io, name: string): Promise<number> {
  const { client } = await attach(io)
  const { works, says } = await testProvider(client, name)
  io.out(`${printableLine(says)}\n`)
  return works ? exitCode.ok : exitCode.config
}

/** `tandem models rm NAME`: forgets a key that was entered. */
export async function removeModel(io: Io, name: string): Promise<void> {
  const { client } = await attach(io)
  await removeProvider(client, name)
  io.note(`Forgotten: ${printableLine(name)}`)
}

async function askedAddress(
  io: Io,
  preset: PresetInfo | undefined,
  name: string,
): Promise<string | undefined> {
  if (preset && preset.address === null) return undefined
  if (!isInteractive(io))
    throw new CliError(`${name} needs its address: --url ADDRESS`, exitCode.usage)
  const example = preset?.address ?? 'http://127.0.0.1:8000/v1'
  const said = (await question(`Address, such as ${example}: `))?.trim()
  if (said === undefined || said === '') throw new CliError('no address was given', exitCode.usage)
  return said
}

async function readKey(io: Io, label: string): Promise<string> {
  if (isInteractive(io)) {
    const said = await secretQuestion(`Key for ${label} (it is not shown): `)
    if (said === null) throw new CliError('no key was given', exitCode.interrupted)
    return said.trim()
  }
  for await (const [line] of readLines(io.stdin, 1)) return line?.toString('utf8').trim() ?? ''
  return ''
}
