import type { Refusal } from '../../protocol/refusal.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { Hosts, SessionHost } from '../host.ts'
import type { Teams } from './teams.ts'

/** Finds or makes the session in which a team’s commands land that name none. */
export type MainSessions = (team: string) => Promise<Result<SessionHost, Refusal>>

export function createMainSessions(hosts: Hosts, teams: Teams): MainSessions {
  /** Two commands at once must not make two. */
  const making = new Map<string, Promise<Result<SessionHost, Refusal>>>()

  async function findOrMake(team: string): Promise<Result<SessionHost, Refusal>> {
    const id = teams.mainSession(team)
    const known = id === null ? null : await hosts.open(id)
    if (known !== null) return ok(known)
    const [first] = await teams.seenRepos(team)
    const workspace = first && !first.missing ? first.path : teams.folder(team)
    const made = await hosts.create({ team, title: 'main', workspace })
    if (made.ok) teams.setMainSession(team, made.value.id)
    return made
  }

  return (team) => {
    const found = making.get(team) ?? findOrMake(team).finally(() => making.delete(team))
    making.set(team, found)
    return found
  }
}
