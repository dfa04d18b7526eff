import { readCache } from '../../client/session/records.ts'
import type { CachedRequest } from '../../protocol/http/page-routes.ts'
import { attach } from '../attach.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { findSession, newestSession } from '../find-session.ts'
import type { Io } from '../io.ts'

/** `tandem cache`: what of each request the model had been sent before. */
export async function cacheCommand(
  io: Io,
  id: string | undefined,
  { json }: { json?: boolean },
): Promise<number> {
  const { client } = await attach(io)
  const session =
    id === undefined ? await newestSession(client, io.cwd) : await findSession(client, id)
  if (!session) throw new CliError('this folder has no session. Name one: tandem cache ID')
  const report = await readCache(client, session.id)
  if (json) io.out(`${JSON.stringify(report)}\n`)
  else if (report.requests.length === 0)
    io.note('The model has not been asked anything in this session.')
  else {
    io.out(table(report.requests))
    io.out(`\n${verdict(report.broken)}\n`)
  }
  return report.broken === 0 ? exitCode.ok : exitCode.error
}

function verdict(broken: number): string {
  if (broken === 0) return 'Every request extends the one before: nothing was sent differently.'
  const requests = broken === 1 ? 'One request did' : `${broken} requests did`
  return `${requests} not extend the one before.`
}

const heads = ['request', 'bytes', 'sent before', 'tokens', 'cached', 'model']

function table(requests: readonly CachedRequest[]): string {
  const rows = [heads, ...requests.map(row)]
  const widths = heads.map((_, column) => Math.max(...rows.map((one) => one[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    [...cells.slice(0, -1).map((cell, at) => cell.padStart(widths[at] ?? 0)), cells.at(-1)].join(
      '  ',
    )
  return rows.map((cells) => `${line(cells).trimEnd()}\n`).join('')
}

/** A figure the provider did not give is not made up. */
function row({ step, bytes, witness, usage, model }: CachedRequest): readonly string[] {
  const before = witness === null ? '…' : share(witness.prefixBytes, bytes)
  const tokens = usage === null || usage.input === 0 ? '–' : String(usage.input)
  const cached = usage === null || usage.input === 0 ? '–' : share(usage.cacheRead, usage.input)
  const difference = witness?.firstDifference === undefined ? '' : `  ${witness.firstDifference}`
  return [`#${step}`, String(bytes), before, tokens, cached, `${model}${difference}`]
}

function share(part: number, whole: number): string {
  return `${part} (${whole === 0 ? 0 : Math.round((100 * part) / whole)} %)`
}
