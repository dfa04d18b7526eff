import type { ElicitationRequest, ElicitationResponse } from '../protocol/events/ask.ts'
import type { SessionUpdate } from '../protocol/events/session.ts'
import type { ShellSetting } from '../protocol/events/shell.ts'
import { limits } from '../protocol/limits.ts'
import { unbound, unjudged } from './open.ts'
import type { CallPhase, OpenCall, SessionState } from './state.ts'

type Change = Partial<SessionState>

/** Asked about anew, a call has no yes any more. */
export function asked(state: SessionState, event: ElicitationRequest): Change {
  const at: CallPhase = { phase: 'asked', ask: event.seq }
  return {
    asks: [...state.asks, event],
    calls: state.calls.map((call) =>
      call.request.seq === event.request ? { ...withoutYes(call), at } : call,
    ),
  }
}

function withoutYes(call: OpenCall): OpenCall {
  const { yes: _, ...rest } = call
  return rest
}

export function answered(state: SessionState, event: ElicitationResponse): Change {
  const ask = state.asks.find((open) => open.seq === event.request)
  if (ask === undefined) return {}
  const answer = { ask: ask.ask, by: event.by, outcome: event.outcome }
  const isYes = event.outcome === 'allow' || event.moved === true
  return {
    asks: state.asks.filter((open) => open !== ask),
    answered: [...state.answered, answer].slice(-limits.answeredAsks),
    calls: state.calls.map((call) =>
      call.request.seq === ask.request
        ? {
            ...withoutYes(call),
            at: phaseAfter(call, ask, event),
            hadYes: call.hadYes || isYes,
            ...yesOf(ask, event),
          }
        : call,
    ),
    step: stepAfter(state, ask, event),
    rules:
      event.rule?.scope === 'session'
        ? [...state.rules, { ...event.rule, by: event.by, at: event.at }]
        : state.rules,
    settings: settled(state.settings, event.settings ?? []),
  }
}

/** The last word on each setting counts. */
function settled(
  before: readonly ShellSetting[],
  now: readonly ShellSetting[],
): readonly ShellSetting[] {
  const said = new Set(now.map(nameOf))
  return now.length === 0 ? before : [...before.filter((each) => !said.has(nameOf(each))), ...now]
}

function nameOf(setting: ShellSetting): string {
  return setting.of === 'path' ? 'path' : `${setting.of} ${setting.name}`
}

function phaseAfter(
  { request }: OpenCall,
  ask: ElicitationRequest,
  { outcome, moved, command = ask.command }: ElicitationResponse,
): CallPhase {
  if (outcome !== 'allow' || moved) return unjudged(request, command)
  const stamp = request.meta.isClientInitiated ? null : ask.generation
  return { phase: 'allowed', command, stamp, mark: ask.mark, cwd: ask.cwd }
}

/** A yes to what was asked, and not to what a person made of it, may stand in a shell that means the same by it. */
function yesOf(ask: ElicitationRequest, event: ElicitationResponse): Pick<OpenCall, 'yes'> {
  const mayStand = event.outcome === 'allow' && event.command === undefined
  return mayStand && ask.fingerprint !== undefined ? { yes: { seq: event.seq, ask } } : {}
}

function stepAfter(
  { step, calls }: SessionState,
  { request, fingerprint }: ElicitationRequest,
  { seq, outcome, scope }: ElicitationResponse,
): SessionState['step'] {
  const call = calls.find((open) => open.request.seq === request)
  const isOfStep = step !== null && call?.request.step === step.seq
  if (!isOfStep || outcome !== 'allow' || scope !== 'reply' || fingerprint === undefined)
    return step
  return { ...step, yes: { seq, fingerprint } }
}

/** A yes that somebody took back, or that another mode makes worth asking for again. */
export function revoked(state: SessionState, event: SessionUpdate): Change {
  const { rules, step, settings, calls } = state
  const isOver = event.approval !== undefined || event.revoked === 'reply'
  if (event.revoked === undefined && !isOver) return {}
  return {
    rules: rules.filter(({ id }) => id !== event.revoked),
    settings: event.revoked === 'settings' ? [] : settings,
    step: isOver && step ? withoutRest(step) : step,
    calls: event.revoked === 'reply' ? calls.map((call) => unbound(withoutYes(call))) : calls,
  }
}

function withoutRest(step: NonNullable<SessionState['step']>): SessionState['step'] {
  const { yes: _, ...rest } = step
  return rest
}
