import type { z } from 'zod'
import { AuditGap, AuditRow } from '../protocol/events/audit.ts'
import type { SessionId } from '../protocol/events/seq.ts'
import { routes } from '../protocol/http/routes.ts'
import type { Calls, Caller } from './wire/call.ts'

/** A server as such: what runs there. */
export const readHealth = ({ call }: Calls, signal?: AbortSignal) =>
  call(routes.health, signal ? { signal } : {})

/** The models there are; `fresh` asks each provider now. */
export const readModels = ({ call }: Calls, query: { fresh?: 'true' } = {}) =>
  call(routes.models, { query })

/** Tries a provider with a person's key, and keeps both if it works. */
export const addProvider = (
  { call }: Calls,
  name: string,
  body: z.input<typeof routes.addProvider.body>,
) => call(routes.addProvider, { params: { name }, body })

export const testProvider = ({ call }: Calls, name: string) =>
  call(routes.testProvider, { params: { name } })

export const removeProvider = ({ call }: Calls, name: string) =>
  call(routes.removeProvider, { params: { name } })

export const readStats = ({ call }: Calls, query: { team?: string; days?: number }) =>
  call(routes.stats, { query })

/** The audit, row by row as it is read. */
export async function* readAudit(
  { lines }: Pick<Caller, 'lines'>,
  query: { session?: SessionId; since?: number },
): AsyncGenerator<AuditRow | AuditGap, void> {
  for await (const line of await lines(routes.audit, { query }))
    yield AuditRow.or(AuditGap).parse(JSON.parse(line))
}

export const readTrusted = ({ call }: Calls) => call(routes.trusted, {})

export const trustFolder = ({ call }: Calls, body: z.input<typeof routes.trust.body>) =>
  call(routes.trust, { body })

/** The standing yeses for a folder. */
export const listRules = ({ call }: Calls, query: { folder?: string }) =>
  call(routes.rules, { query })

export const revokeRule = ({ call }: Calls, id: string) =>
  call(routes.removeRule, { params: { id } })

/** Trades the one-time secret of a start address for a browser's right to come back. */
export const signIn = ({ call }: Calls, body: z.input<typeof routes.exchange.body>) =>
  call(routes.exchange, { body })

export const listBrowsers = ({ call }: Calls) => call(routes.browsers, {})

export const signOut = ({ call }: Calls, id: string) =>
  call(routes.removeBrowser, { params: { id } })

/** Makes a new one-time start address. */
export const newSecret = ({ call }: Calls) => call(routes.secret, {})

/** Replaces the token; the old one stops working at once. */
export const rotateToken = ({ call }: Calls) => call(routes.rotate, {})

export const shutDown = ({ call }: Calls, body: z.input<typeof routes.shutdown.body>) =>
  call(routes.shutdown, { body })
