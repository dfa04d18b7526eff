import type { Refusal } from '../../protocol/refusal.ts'
import { ok, refused, type Result } from '../../protocol/result.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { Hosts, SessionHost } from '../host.ts'

export async function findHost(hosts: Hosts, id: SessionId): Promise<Result<SessionHost, Refusal>> {
  const host = await hosts.open(id)
  return host === null
    ? refused({ code: 'not_found', message: `there is no session ${id}` })
    : ok(host)
}
