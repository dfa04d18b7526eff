import type { Event } from '../../../protocol/events/event.ts'
import type { Refusal } from '../../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../../base/result.ts'
import { routes } from '../../../protocol/http/routes.ts'
import type { RunStart } from '../../../protocol/events/run.ts'
import type { SessionId } from '../../../protocol/events/seq.ts'
import type { Accepted } from '../../../protocol/http/session-view.ts'
import type { AppDeps } from '../deps.ts'
import { on } from '../route.ts'
import type { SessionHost } from '../../session/host.ts'
import { unknownTeam } from '../../teams/teams.ts'
import { createMainSessions } from '../../teams/shell-results.ts'

/** Delegate’s: start a one-shot command, and ask how it stands. */
export function shellHandlers({ hosts, teams, shellResults }: AppDeps) {
  const mainSession = createMainSessions(hosts, teams)

  async function hostOf(
    team: string,
    session: SessionId | null | undefined,
  ): Promise<Result<SessionHost, Refusal>> {
    if (!teams.has(team)) return refused(unknownTeam(team, teams.list()))
    if (!session) return mainSession(team)
    const found = await hosts.open(session)
    if (found.ok && found.value.view().team !== team)
      return refused({ code: 'not_found', message: `team "${team}" has no session ${session}` })
    return found
  }

  return {
    runShell: on(routes.runShell, async ({ params, body, by }) => {
      const { session, command, ...place } = body
      const found = await hostOf(params.team, session)
      if (!found.ok) return found
      const host = found.value
      const accepted = await host.handle({ type: 'shell', source: 'api', command, ...place }, by)
      if (!accepted.ok) return accepted
      const run = await runIn(host, accepted.value)
      if (run === null) return keyTaken
      return ok({ id: run.run, status: 'running' as const, command: run.command })
    }),
    shellResult: on(routes.shellResult, async ({ params: { team, id } }) => {
      const result = await shellResults(team, id)
      if (result !== null) return ok(result)
      const message = `team "${team}" has no one-shot command ${id}`
      return refused({ code: 'not_found', message })
    }),
  }
}

/** Its start is among the last events that the order caused, also when that was some time ago. */
const looked = 20

const keyTaken = refused({
  code: 'key_reused',
  message: 'This key belongs to something else that was asked of the session. Take a new one.',
} as const)

/** Null when the key was used before, but not for a command of this kind. */
async function runIn(host: SessionHost, { first, head }: Accepted): Promise<RunStart | null> {
  const events = await host.readLog({ before: head + 1, limit: looked })
  // Events that one order caused have one time.
  const at = events.at(-1)?.at
  const isIts = (event: Event) => (first === null ? event.at === at : event.seq >= first)
  const starts = events.filter((event) => event.type === 'run_start')
  return starts.findLast((start) => start.lane === 'background' && isIts(start)) ?? null
}
