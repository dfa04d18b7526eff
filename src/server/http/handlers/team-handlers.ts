import type { Refusal } from '../../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import { routes } from '../../../protocol/http/routes.ts'
import type { AppDeps } from '../deps.ts'
import { on } from '../route.ts'
import { refusalOf } from '../../store/store-error.ts'
import { unknownTeam } from '../../teams/teams.ts'

/** A no of the store is a refusal, not a fault of ours. */
async function stored<T>(
  work: () => Result<T, Refusal> | Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> {
  try {
    return await work()
  } catch (error) {
    return refused(refusalOf(error))
  }
}

/** Things that sessions of a team share, and the folders that are trusted. */
export function teamHandlers({ teams, trust, rules }: AppDeps) {
  /** Lists are empty for a team that is not there; here that is a 404. */
  function ofTeam<T>(team: string, list: () => T | Promise<T>): Promise<Result<T, Refusal>> {
    return stored(async () =>
      teams.has(team) ? ok(await list()) : refused(unknownTeam(team, teams.list())),
    )
  }

  return {
    teams: on(routes.teams, () => stored(() => ok({ teams: [...teams.list()] }))),
    createTeam: on(routes.createTeam, ({ body }) =>
      stored(() => {
        const made = teams.create(body.name)
        return made.ok ? ok({ name: made.value }) : made
      }),
    ),
    repos: on(routes.repos, ({ params: { team } }) =>
      ofTeam(team, async () => ({ repos: [...(await teams.seenRepos(team))] })),
    ),
    addRepo: on(routes.addRepo, ({ params, body }) =>
      stored(() => teams.addRepo(params.team, body)),
    ),
    removeRepo: on(routes.removeRepo, ({ params }) =>
      stored(() => teams.removeRepo(params.team, params.name)),
    ),
    tasks: on(routes.tasks, ({ params: { team } }) =>
      ofTeam(team, () => ({ tasks: [...teams.tasks(team)] })),
    ),
    createTask: on(routes.createTask, ({ params, body }) =>
      stored(() => teams.createTask(params.team, body.title)),
    ),
    moveTask: on(routes.moveTask, ({ params, body }) =>
      stored(() => teams.moveTask(params.team, params.id, body)),
    ),
    rules: on(routes.rules, ({ query: { folder } }) =>
      stored(() => ok({ rules: [...rules.list(folder)] })),
    ),
    removeRule: on(routes.removeRule, ({ params: { id } }) =>
      stored(() => {
        const revoked = rules.revoke(id)
        return revoked === null
          ? refused({ code: 'unknown_rule', message: `No rule of a folder is called ${id}.` })
          : ok(revoked)
      }),
    ),
    trusted: on(routes.trusted, () => stored(() => ok({ folders: [...trust.list()] }))),
    trust: on(routes.trust, ({ body: { folder, trusted } }) =>
      stored(async () => {
        if (!trusted) {
          await trust.revoke(folder)
          return ok({ folder, trusted: await trust.isTrusted(folder) })
        }
        const found = await trust.trust(folder)
        return found.ok ? ok({ folder: found.value, trusted: true }) : found
      }),
    ),
  }
}
