import { ok, refused } from '../../../base/result.ts'
import { routes } from '../../../protocol/http/routes.ts'
import { presetInfos } from '../../model/book/presets.ts'
import { KeyFileError } from '../../model/keys/key-store.ts'
import type { AppDeps } from '../deps.ts'
import { on } from '../route.ts'

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
