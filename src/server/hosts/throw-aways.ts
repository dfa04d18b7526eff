import { isInvisible } from '../../base/text.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { AgentRequest } from '../../protocol/http/agent-route.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { limits } from '../../protocol/limits.ts'
import { initialState } from '../../log/state.ts'
import { type NewEvent, system } from '../../session/append.ts'
import { suppliedHistory } from '../../session/conversation/supplied-history.ts'
import { userMessage } from '../../session/turn.ts'
import type { SessionHost, SessionHostDeps } from '../session/host.ts'
import { within } from '../terminal/within.ts'
import type { BeginDeps, Begun, createBeginnings } from './begin-session.ts'
import type { HostSet } from './host-set.ts'

type Beginnings = ReturnType<typeof createBeginnings>

export interface ThrowAwayDeps
  extends
    Pick<BeginDeps, 'store' | 'approval' | 'workspace'>,
    Pick<SessionHostDeps, 'models' | 'gather' | 'facts'>,
    Pick<Beginnings, 'begin' | 'modeIn'> {
  hosts: Pick<HostSet, 'own' | 'get' | 'drop'>
  remove(id: SessionId): Promise<boolean>
}

const team = 'default'

/** So long an end waits for a reply or a command that was given up, before the session leaves memory all the same. */
const settleMs = 5_000

/** A call waits so long to learn which models there are. */
const chooseMs = 3_000

/** Told with the facts: what a model does in one turn is not there in the next. */
const newShells =
  'Each prompt of this conversation begins in a new shell, in the folder above: variables, functions and jobs of earlier ones are gone.'

const noPrompt: Refusal = {
  code: 'bad_request',
  message: 'the last message must be the prompt, or the result of a command',
}

/** Sessions that serve one call of a program, which keeps the history itself. */
export function createThrowAways(deps: ThrowAwayDeps) {
  const { store, hosts } = deps
  const underWay = new Set<SessionId>()

  /** The mode that nobody chose: one in which no configuration makes a program's commands run. */
  function usualMode(workspace: string) {
    return deps.modeIn(workspace, deps.approval === 'refuse' ? 'refuse' : 'guarded')
  }

  async function begin(request: AgentRequest): Begun {
    const { messages, workspace = deps.workspace } = request
    const prompt = promptOf(messages)
    if (!prompt.ok) return prompt
    const isPrompt = prompt.value !== null
    const said = isPrompt ? messages.slice(0, -1) : messages
    const all = await openingOf(deps, said, workspace)
    const opening = isPrompt ? all : goingOn(all)
    if (opening === null) return refused(noPrompt)
    const approval = request.approval ?? (await usualMode(workspace))
    const options = { workspace, team, approval, attended: false }
    const created = await deps.begin(options, { opening, unlisted: true })
    return created.ok ? begun(created.value, prompt.value) : created
  }

  async function begun(host: SessionHost, prompt: string | null): Begun {
    underWay.add(host.id)
    const asked = await ask(host, prompt).catch(async (error: unknown) => {
      await giveUp(host.id)
      throw error
    })
    if (asked.ok) return ok(host)
    await giveUp(host.id)
    return asked
  }

  /** Nothing came of it, so nothing of it stays. */
  async function giveUp(id: SessionId): Promise<void> {
    underWay.delete(id)
    await deps.remove(id)
  }

  async function end(id: SessionId): Promise<void> {
    try {
      const owned = hosts.get(id)
      if (owned) await within(settleMs, settled(owned.host))
      await owned?.endShell()
    } finally {
      await hosts.drop(id)
      underWay.delete(id)
    }
    const logs = await store.list({ listed: false, limit: limits.agentLogs + prunedAtOnce })
    for (const { id: old, live } of logs.slice(limits.agentLogs)) if (!live) await deps.remove(old)
  }

  return {
    calls: { createThrowAway: begin, endThrowAway: end },
    /** Ends those that an earlier server left under way, once all is resumed: nobody waits for them any more. */
    async afterResume(resume: () => Promise<void>): Promise<void> {
      const left = await store.list({ live: true, listed: false, limit: limits.resumedSessions })
      await resume()
      for (const { id } of left) if (!underWay.has(id) && (await hosts.own(id))) await end(id)
    },
  }
}

/** The model's set-up and the facts go first, so that every call of one history begins with the same bytes. */
async function openingOf(
  { models, facts, gather }: Pick<ThrowAwayDeps, 'models' | 'facts' | 'gather'>,
  messages: AgentRequest['messages'],
  workspace: string,
): Promise<readonly NewEvent[]> {
  await models.settled(chooseMs)
  const setup = models.keep(models.initial().model)
  const history = suppliedHistory(messages, setup.dialect)
  const state = { ...initialState, team, workspace }
  const told =
    history.facts === null
      ? {
          ...userMessage(`${facts(state, await gather(state), setup.dialect)}\n\n${newShells}`),
          by: system,
        }
      : userMessage(history.facts)
  const first: NewEvent[] = [
    { type: 'epoch_start', by: system, ...setup },
    { ...told, synthetic: true },
  ]
  return [...first, ...history.messages]
}

/** A few more than one call brings, so that what an earlier one left is gone in time. */
const prunedAtOnce = 20

/** Null when the model is to go on from a result. */
function promptOf(messages: AgentRequest['messages']): Result<string | null, Refusal> {
  const last = messages.at(-1)
  if (last?.role === 'tool') return ok(null)
  if (last?.role !== 'user') return refused(noPrompt)
  return isInvisible(last.content)
    ? refused({ code: 'empty_input', message: 'The last message, the prompt, is empty.' })
    : ok(last.content)
}

function ask(host: SessionHost, prompt: string | null): Promise<Result<unknown, Refusal>> {
  const by = { kind: 'user', client: 'agent' } as const
  if (prompt === null) return host.handle({ type: 'proceed' }, by)
  return host.handle({ type: 'submit', text: prompt, as: 'text' }, by)
}

/** The same, and the model is to go on from its last record; null where it has none. */
function goingOn(opening: readonly NewEvent[]): readonly NewEvent[] | null {
  const last = opening.at(-1)
  if (last?.type !== 'message' || last.role !== 'user' || opening.length < 3) return null
  return [...opening.slice(0, -1), { ...last, thenTurn: true }]
}

/** Resolves when no step is open any more. */
function settled(host: SessionHost): Promise<void> {
  return new Promise((resolve) => {
    let stop = () => {}
    const look = () => {
      const { turn, step } = host.view().open
      if (turn !== null || step !== null) return
      stop()
      resolve()
    }
    // An event is told just before it counts.
    stop = host.subscribe(host.view().head, () => {
      setImmediate(look)
      return true
    })
    look()
  })
}
