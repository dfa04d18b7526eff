import { whole } from '../../base/text.ts'
import type {
  AskScope,
  ElicitationRequest,
  ElicitationResponse,
} from '../../protocol/events/ask.ts'
import type { Answer } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { adoptedBy, openCall, terminalRun } from '../../log/open.ts'
import type { OpenCall, SessionState } from '../../log/state.ts'
import { answerCall, type Append, badCommand, refuse } from '../append.ts'
import { skipRest } from '../asks.ts'
import type { Catalogue } from '../catalogue.ts'
import { advance } from '../due.ts'
import { limits } from '../../protocol/limits.ts'
import { endStep, endTurn } from '../turn.ts'

/** A person's yes or no. The first answer wins; a yes counts only for the shell that was judged. */
export function decideAnswer(append: Append, answer: Answer, catalogue: Catalogue): Refusal | null {
  const ask = append.state.asks.find((open) => open.ask === answer.ask)
  if (ask === undefined) return alreadyClosed(append.state, answer)
  const call = openCall(append.state, ask.request)
  if (call === undefined) return alreadyClosed(append.state, answer)
  const refusal = badScope(append.state, { ask, call }, answer)
  if (refusal) return refusal
  if (answer.outcome === 'deny') deny(append, { ask, call }, answer.word)
  else {
    const command = answer.command?.trim()
    const bad = command === undefined ? null : badEdit(call, command)
    if (bad) return bad
    const hasMoved = isMoved(append.state, { ask, call }, catalogue)
    allow(append, { ask, call, hasMoved }, { command, scope: answer.scope })
  }
  advance(append, catalogue)
  return null
}

function badEdit({ request }: OpenCall, command: string): Refusal | null {
  if (request.run === undefined)
    return refuse('bad_command', 'Only a command can be edited. Say no, with a word if you like.')
  return command === ''
    ? refuse('empty_input', 'Say no instead of emptying the command.')
    : badCommand(command)
}

interface Asked {
  ask: ElicitationRequest
  call: OpenCall
}

function allow(
  append: Append,
  { ask, call, hasMoved }: Asked & { hasMoved: boolean },
  { command, scope = 'once' }: { command: string | undefined; scope?: AskScope | undefined },
): void {
  const isAsProposed = command === undefined && ask.command === call.request.run?.command
  const mayStand = isAsProposed && ask.fingerprint !== undefined && isWhereItWas(append.state, ask)
  append.add({
    type: 'elicitation_response',
    ask: ask.ask,
    request: ask.seq,
    // Judged anew, the call runs if it means the same there; elsewhere it is asked about again.
    outcome: hasMoved && !mayStand ? 'void' : 'allow',
    ...(hasMoved && { moved: true as const }),
    ...(scope !== 'once' && { scope }),
    ...ruleOf(append, ask, scope),
    ...settingsOf(append.state, ask, scope),
    ...(command !== undefined && { command }),
  })
}

/**
 * A model's command would not run where it was judged, or not now: a yes is for no other place and
 * time.
 */
function isMoved(state: SessionState, { ask, call }: Asked, { mark }: Catalogue): boolean {
  if (call.request.meta.isClientInitiated) return false
  if (ask.generation !== state.stamp) return true
  if (call.request.run === undefined) return false
  if (mark !== null && ask.mark !== mark) return true
  return state.shell.phase !== 'live' || terminalRun(state) !== undefined
}

/** At a free prompt of the session's own shell, in the same folder. */
function isWhereItWas(state: SessionState, { cwd }: ElicitationRequest): boolean {
  const { shell } = state
  const isFree = shell.phase === 'live' && terminalRun(state) === undefined
  return isFree && shell.cwd === cwd && adoptedBy(state) === null
}

function deny(append: Append, { ask, call }: Asked, word: string | undefined): void {
  const said = word?.trim() ? word : undefined
  append.add({
    type: 'elicitation_response',
    ask: ask.ask,
    request: ask.seq,
    outcome: 'deny',
    ...(said !== undefined && { word: said }),
  })
  if (call.request.meta.isClientInitiated) {
    const how = said === undefined ? 'the user said no' : 'the user said no, in the words above'
    const line = `not ${call.request.read ? 'read' : 'run'}: ${how}`
    answerCall(append, call, { status: 'cancelled', line, output: whole(said ?? '') })
    return
  }
  answerCall(append, call, {
    status: 'denied',
    line: said === undefined ? 'denied by the user' : 'denied by the user, who says the above',
    output: whole(said ?? ''),
  })
  skipRest(append, 'skipped: an earlier command of this reply was denied', 'skipped')
  if (said !== undefined) return
  endStep(append)
  endTurn(append, 'declined')
}

function alreadyClosed(state: SessionState, answer: Answer): Refusal {
  const earlier = state.answered.find(({ ask }) => ask === answer.ask)
  if (earlier === undefined) return refuse('unknown_ask', 'No question with this id is open.')
  const who = earlier.by.name ?? earlier.by.client ?? earlier.by.kind
  return refuse('already_answered', `It was answered already: ${earlier.outcome}, by ${who}.`, {
    by: earlier.by,
    outcome: earlier.outcome,
  })
}

/** The reason why a yes cannot have the scope that it was given; null when it can. */
function badScope(
  state: SessionState,
  { ask, call }: Asked,
  { scope = 'once', outcome, command }: Answer,
): Refusal | null {
  if (scope === 'once') return null
  if (outcome === 'deny')
    return refuse('bad_scope', 'A no is for this command only: leave the scope out.')
  if (ask.kind !== 'approval' || call.request.meta.isClientInitiated)
    return refuse('bad_scope', "Only a yes to a model's command can count for others.")
  if (command !== undefined && command.trim() !== ask.command)
    return refuse('bad_scope', 'An edited command can only be allowed once.')
  if (scope === 'shell')
    return ask.settings === undefined
      ? refuse(
          'bad_scope',
          'It asks for more than settings of the shell: it can only be allowed once.',
        )
      : null
  return scope === 'reply' ? null : badRule(state, ask, scope)
}

function badRule(
  { rules }: SessionState,
  ask: ElicitationRequest,
  scope: AskScope,
): Refusal | null {
  if (ask.offer?.rule === undefined)
    return refuse('bad_scope', 'No rule is offered for this command: it can only be allowed once.')
  return scope === 'session' && rules.length >= limits.sessionRules
    ? refuse('too_many', 'This session has very many rules. Revoke one: /approval rm <rule>')
    : null
}

/** The rule that a yes makes, if its scope asks for one. */
function ruleOf(
  append: Append,
  { offer }: ElicitationRequest,
  scope: AskScope,
): Pick<ElicitationResponse, 'rule'> {
  const rule = offer?.rule
  if (rule === undefined || (scope !== 'session' && scope !== 'folder')) return {}
  return { rule: { ...rule, id: `rule-${append.id().slice(-8)}`, scope } }
}

/** The settings that a yes takes as they are: those that were shown, if this is still the shell that has them. */
function settingsOf(
  { shell }: SessionState,
  { settings, fingerprint }: ElicitationRequest,
  scope: AskScope,
): Pick<ElicitationResponse, 'settings'> {
  if (scope !== 'shell' || settings === undefined || shell.phase !== 'live') return {}
  return fingerprint?.startsWith(`${shell.generation}:`) ? { settings } : {}
}
