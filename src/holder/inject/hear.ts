import { hearLitter, later, lookAtLitter } from './litter.ts'
import { isBracketed } from './paste.ts'
import { hasRun, injecting, isEntering, isNewest, learn, stageAt } from './select.ts'
import type { Check, Heard, InjectionState, Next, Phase, Step } from './state.ts'
import {
  ackMs,
  comeToRest,
  deafAckMs,
  firstAckMs,
  giveUp,
  hearLook,
  hearTime,
  refuse,
  settle,
  settleMs,
} from './unanswered.ts'

type Mark = Heard & { type: 'mark' }
type In<At extends Phase['at']> = Phase & { at: At }

const gone = { reason: 'the shell it was for has ended' }
const keyless = { reason: 'the line editor does not know our keys' }
const moved = { reason: 'the shell is not as it was when this was allowed', isMoved: true }
const taken = { reason: 'another command is being entered' }
const unsourced = { reason: 'the shell did not take it' }
const withdrawn = { reason: 'it was stopped before the shell took it', isWithdrawn: true }

/**
 * Brings a command into the shell's line editor: one key loads it, and only after the shell acknowledged, another
 * one accepts it. It happens here and not in the server so that a server that dies half-way leaves no half-entered
 * command, and because it saves a round trip. Nothing else changes the state.
 */
export function hear(state: InjectionState, heard: Heard): Step {
  switch (heard.type) {
    case 'order':
      return hearOrder({ ...state, place: heard.place }, heard)
    case 'mark':
      return hearMark(state, heard)
    case 'text':
      return stay(hearText(state, heard.bytes))
    case 'time':
      return hearTime(state, heard.now)
    case 'looked':
      return state.litter === null
        ? hearLook(state, heard)
        : lookAtLitter(state, state.litter, heard)
    case 'withdraw':
      return injecting(state) === heard.id ? giveUp(state, withdrawn, heard.now) : stay(state)
    case 'left':
      return hearLeft(state, heard.now)
    case 'littered':
      return stay({ ...state, litter: { at: 'unread', check: later(heard.now) } })
    default:
      return heard satisfies never
  }
}

const stay = (state: InjectionState): Step => ({ state, effects: [] })
/** No end is told where our hook is not called; the server sees it by other signs, and orders nothing before. */
const isUntold = ({ phase, known }: InjectionState) => phase.at === 'accepted' && !known.saysEnd

function hearOrder(state: InjectionState, { injection, now }: Heard & { type: 'order' }): Step {
  const { id, model, asFile, command, stamp } = injection
  const { shell, pending } = state
  // A load key behind an accept key would put its command in the line that is about to be accepted.
  const isFree = !isEntering(state) || isUntold(state)
  if (!isFree || state.litter !== null) return refuse(state, id, taken)
  if (stamp !== null && stamp !== state.place.stamp) return refuse(state, id, moved)
  if (asFile && !shell.takesFiles) return refuse(state, id, unsourced)
  const who = model ? 'model' : injection.private ? 'private' : 'person'
  const { attempt } = pending
  const ordered = { id, who, command, asFile, attempt, stamp, isLate: false } as const
  const [ms, next]: [number, Next] = state.known.isDeaf
    ? [deafAckMs, 'paste']
    : [firstAckMs, 'load']
  return load({ ...state, pending: ordered }, next, patiently(state, now, ms))
}

function load(state: InjectionState, next: Next, check: Check): Step {
  const pending = { ...state.pending, attempt: state.pending.attempt + 1 }
  return {
    state: {
      ...state,
      pending,
      phase: { at: 'loading', id: pending.id, check, next },
      unanswered: state.unanswered + 1,
    },
    effects: [{ type: 'load', load: pending }],
  }
}

function patiently({ shell }: InjectionState, now: number, ms: number): Check {
  return { at: now + ms * shell.patience, hasRead: false }
}

function hearText(state: InjectionState, bytes: Buffer): InjectionState {
  const { phase } = state
  if (phase.at !== 'clearing' && phase.at !== 'pasting') return state
  return { ...state, phase: { ...phase, isBracketed: isBracketed(bytes, phase.isBracketed) } }
}

function hearMark(before: InjectionState, mark: Mark): Step {
  const step = hearOwnMark(before, mark)
  return before.litter === null ? step : hearLitter(step, mark)
}

function hearOwnMark(before: InjectionState, mark: Mark): Step {
  const { kind, fields, now } = mark
  const state = learn(followOwnInterrupt(before, mark), mark)
  const { phase, shell } = state
  if (kind === 'I') return hearLoaded(state, fields, now)
  // The shell does something else first, and what the command was allowed for is over.
  if (kind === 'C' && phase.at === 'loading' && hasMoved(state)) return giveUp(state, moved, now)
  // Another shell's prompt may look the same, and is not ours to type at.
  const isOurs = kind === 'B' && Number(fields[1]) === shell.pid
  if (phase.at === 'clearing' && isOurs) return hearCleared(state, phase, now)
  return phase.at === 'accepted' ? follow(state, phase, kind) : stay(state)
}

/** Our own Ctrl+C ends a line, which moves the stamp. Any other move since the order still counts. */
function followOwnInterrupt(state: InjectionState, { kind, place }: Mark): InjectionState {
  const { phase, pending } = state
  const isOwn = phase.at === 'clearing' && kind === 'D' && pending.stamp === state.place.stamp
  if (!isOwn || isElsewhere(state.place.cwd, place.cwd)) return state
  return { ...state, pending: { ...pending, stamp: place.stamp } }
}

function isElsewhere(cwd: string, other: string): boolean {
  return cwd !== '' && other !== '' && cwd !== other
}

/** Something was executed, or the shell is elsewhere, since the command was allowed. */
function hasMoved({ pending, place }: InjectionState, cwd = ''): boolean {
  if (pending.stamp === null) return false
  return pending.stamp !== place.stamp || isElsewhere(place.cwd, cwd)
}

function hearLoaded(state: InjectionState, fields: readonly string[], now: number): Step {
  const [id = '', aside = '0', , ...cwd] = fields
  const { phase, known, pending } = state
  // Said by ourselves.
  if (phase.at === 'accepted' && phase.pasted === id) return stay(state)
  const unanswered = Math.max(0, state.unanswered - 1)
  // Nothing was loaded: it was taken back, or is there already.
  if (id === '') return answered({ ...state, unanswered })
  const taught = { ...known, isDeaf: false, name: id }
  // It was reported as not run, so it must not run now. Another that is on its way takes its place by itself.
  if (phase.at !== 'loading' || !isNewest(state, fields))
    return answered({ ...state, unanswered, known: taught, isStray: phase.at !== 'accepted' })
  if (hasMoved(state, cwd.join(';')))
    return giveUp({ ...state, unanswered, known: taught, isStray: true }, moved, now)
  const check = known.saysStart ? patiently(state, now, ackMs) : null
  const restore = aside !== '0'
  const accepted = { at: 'accepted', check, restore, stage: 'handed', pasted: null } as const
  const accept = { type: 'press', key: 'accept' } as const
  return {
    state: { ...state, unanswered, known: taught, isStray: false, phase: accepted },
    effects: pending.who === 'private' ? [accept, { type: 'scrub' }] : [accept],
  }
}

function answered(state: InjectionState): Step {
  const isAtRest = state.phase.at === 'idle' && state.unanswered === 0
  return isAtRest ? comeToRest(state) : stay(state)
}

/** The prompt is there, on a new line. */
function hearCleared(
  state: InjectionState,
  { id, isBracketed, next }: In<'clearing'>,
  now: number,
): Step {
  if (hasMoved(state)) return giveUp(state, moved, now)
  if (next === 'load') return load(state, 'paste', patiently(state, now, ackMs))
  // The shell would keep it in its history.
  if (state.pending.who === 'private') return giveUp(state, keyless, now)
  const check = { at: now + settleMs, hasRead: false }
  return stay({ ...state, phase: { at: 'pasting', id, check, isBracketed } })
}

/** Loading redraws the prompt; only one after something ran, or was read, is the next prompt. */
function follow(state: InjectionState, phase: In<'accepted'>, kind: string): Step {
  const stage = stageAt(state, phase.stage, kind)
  if (stage !== null) return stay({ ...state, phase: { ...phase, check: null, stage } })
  if (kind !== 'B' || !hasRun(phase.stage)) return stay(state)
  const restore = phase.restore ? [{ type: 'press', key: 'restore' } as const] : []
  const forget = state.pending.who === 'private' ? [{ type: 'forget' } as const] : []
  // A load key before the one that accepted was read before it, too; without an answer, it was lost.
  return {
    state: { ...state, phase: { at: 'idle', check: null }, unanswered: 0 },
    effects: [...restore, ...forget],
  }
}

function hearLeft(state: InjectionState, now: number): Step {
  const { phase, unanswered } = state
  if ('id' in phase) return giveUp(state, gone, now)
  if (phase.at === 'accepted') return stay({ ...state, phase: { ...phase, check: null } })
  return unanswered > 0 ? settle({ ...state, isStray: false }) : stay(state)
}
