import { ok, refused } from '../../../base/result.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import { routes, protocolVersion } from '../../../protocol/http/routes.ts'
import { startUrl, type AppDeps } from '../deps.ts'
import { on } from '../route.ts'
import { presetInfos } from '../../model/book/presets.ts'
import { KeyFileError } from '../../model/keys/key-store.ts'

export function accessHandlers(deps: AppDeps) {
  const { token, startSecrets, tickets, streams, passes, browsers, identity, port } = deps
  return {
    hello: on(routes.hello, async ({ body }) => passes.hello(body)),
    pass: on(routes.pass, async ({ body }) => passes.admit(body)),
    exchange: on(routes.exchange, async ({ body: { secret, ...browser } }) => {
      if (!startSecrets.take(secret)) return refused(usedUp)
      const id = await browsers.add({ ...browser, port: port() })
      if (id === null) return refused({ code: 'bad_request', message: 'body.key: no P-256 key' })
      return ok({ browser: id, server: identity.publicKey })
    }),
    browsers: on(routes.browsers, async () => ok({ browsers: [...browsers.list()] })),
    removeBrowser: on(routes.removeBrowser, async ({ params: { id } }) => {
      if (!(await browsers.remove(id)))
        return refused({ code: 'not_found', message: `there is no browser ${id}` })
      passes.revoke(id)
      // Its streams end with it; the others come back by themselves.
      streams.endAll()
      return ok({ id })
    }),
    secret: on(routes.secret, async () => {
      const secret = startSecrets.issue()
      return ok({ secret, url: startUrl(deps, secret) })
    }),
    rotate: on(routes.rotate, async () => {
      const next = await token.rotate()
      // Streams that the old token opened end with it, or a thief would keep listening.
      startSecrets.clear()
      passes.revoke(null)
      tickets.clear()
      streams.endAll()
      return ok({ token: next })
    }),
    ticket: on(routes.ticket, async () => ok({ ticket: tickets.issue() })),
  }
}

const usedUp: Refusal = {
  code: 'unauthorized',
  message: 'this start address was used or is too old; `tandem web` prints a new one',
}

export function serverHandlers(deps: AppDeps) {
  return {
    health: on(routes.health, async () => {
      const damage = deps.care?.damage()
      return ok({
        version: deps.version,
        protocol: protocolVersion,
        pid: process.pid,
        model: deps.models.initial().model,
        sessions: deps.hosts.count(),
        ...(deps.limits && { limits: deps.limits() }),
        folder: process.cwd(),
        ...(damage && { damage }),
      })
    }),
    skills: on(routes.skills, async ({ query }) =>
      ok({ skills: [...(await deps.skills(query.folder ?? null))] }),
    ),
    stats: on(routes.stats, async ({ query }) => ok(await deps.stats(query))),
    shutdown: on(routes.shutdown, async ({ body, http }) => {
      http.outgoing.once('close', () => deps.shutdown(body))
      return ok({ pid: process.pid })
    }),
  }
}

/** Which models there are, and the keys of a person for them. A key goes in, and never out. */
export function modelHandlers({ models }: Pick<AppDeps, 'models'>) {
  return {
    models: on(routes.models, async ({ query }) => {
      const providers = [...(await models.list({ fresh: query.fresh === 'true' }))]
      return ok({ current: models.initial().model, providers, presets: presetInfos() })
    }),
    addProvider: on(routes.addProvider, async ({ params: { name }, body }) => {
      if (name === 'demo') return refused(builtIn)
      const { keep, ...entry } = body
      try {
        const tried = await models.add(name, entry, { keep })
        return ok({ ...tried, kept: tried.works || keep === 'always' })
      } catch (error) {
        if (!(error instanceof KeyFileError)) throw error
        return refused({ code: 'bad_request', message: error.message })
      }
    }),
    testProvider: on(routes.testProvider, async ({ params: { name } }) => {
      const tried = await models.test(name)
      if (tried !== null) return ok(tried)
      return refused({ code: 'not_found', message: `there is no provider ${name}` })
    }),
    removeProvider: on(routes.removeProvider, async ({ params: { name } }) => {
      if (await models.remove(name)) return ok({ name })
      return refused({ code: 'not_found', message: `no key was entered for ${name}` })
    }),
  }
}

const builtIn = { code: 'bad_request', message: 'the demo is built in and needs no key' } as const
