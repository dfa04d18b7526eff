import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { AgentLine } from '../../../protocol/http/agent-route.ts'
import type { Frame } from '../../../protocol/stream/frame.ts'
import { refused } from '../../../base/result.ts'
import { routes } from '../../../protocol/http/routes.ts'
import type { AppDeps } from '../deps.ts'
import { type Bound, type Call, on } from '../route.ts'
import { createAgentLines } from './agent-lines.ts'
import { responseOutlet, type Outlet } from './deliver.ts'
import { eventStreamHeaders } from './events.ts'
import type { SessionHost } from '../../session/host.ts'

/** SkillForge's stateless route: one turn, written out as it happens, in a session of its own. */
export function agentHandler(deps: AppDeps): Bound {
  let underWay = 0
  return on(routes.agent, async ({ body, by, http }) => {
    if (underWay >= deps.bounds.agentSessions) {
      const message = `${underWay} turns are under way; try again when one has ended`
      return refused({ code: 'overloaded', message })
    }
    underWay += 1
    try {
      const made = await deps.hosts.createThrowAway(body)
      if (!made.ok) return made
      await turn(deps, made.value, { by, http })
      return { response: RESPONSE_ALREADY_SENT }
    } finally {
      underWay -= 1
    }
  })
}

type Caller = Pick<Call<typeof routes.agent>, 'by' | 'http'>

async function turn(deps: AppDeps, host: SessionHost, { by, http }: Caller): Promise<void> {
  const { outgoing } = http
  const outlet = responseOutlet(outgoing)
  const leave = deps.streams.add(() => outgoing.destroy())
  outgoing.writeHead(200, eventStreamHeaders)
  outgoing.flushHeaders()
  try {
    const ended = await relay(host, outlet, deps.bounds.clientQueueBytes)
    if (!ended) await host.handle({ type: 'abort' }, by)
  } catch (error) {
    deps.diagnostics(`agent turn ${host.id} failed: ${String(error)}`)
    outlet.push(lineText({ type: 'error', message: 'internal error' }))
    outlet.push(lineText({ type: 'done' }))
  } finally {
    await deps.hosts.endThrowAway(host.id).catch((error: unknown) => {
      deps.diagnostics(`agent session ${host.id} could not be ended: ${String(error)}`)
    })
    leave()
    outlet.finish(deps.bounds.graceMs)
  }
}

/** Writes lines until the turn's end; false when the caller left, or stopped reading, before it. */
function relay(host: SessionHost, outlet: Outlet, queueBytes: number): Promise<boolean> {
  const linesOf = createAgentLines()
  return new Promise((resolve) => {
    let over = false
    let unsubscribe = () => {}
    const settle = (ended: boolean) => {
      over = true
      forget()
      unsubscribe()
      resolve(ended)
    }
    const forget = outlet.onClose(() => settle(false))
    const take = (frame: Frame): boolean => {
      if (over) return false
      const lines = linesOf(frame)
      const isLast = lines.at(-1)?.type === 'done'
      // Counted before more text: one line may have a whole reply in it, and who reads has it in a moment.
      const isUnread = lines[0]?.type === 'text' && outlet.unsent() > queueBytes
      for (const line of isUnread ? unread : lines) outlet.push(lineText(line))
      if (isLast) settle(true)
      else if (isUnread || !outlet.isOpen()) settle(false)
      return !over
    }
    unsubscribe = host.subscribe(0, take)
    // Settled while the host was still replaying, or gone while the session was being made.
    if (over) unsubscribe()
    else if (!outlet.isOpen()) settle(false)
  })
}

/** Told to a caller that may read on later: else it would take a part for the whole. */
const unread: readonly AgentLine[] = [
  { type: 'error', message: 'the reply was not read, so the turn was stopped' },
  { type: 'done' },
]

function lineText(line: AgentLine): string {
  return `data: ${JSON.stringify(line)}\n\n`
}
