import type {
  AskScope,
  ElicitationRequest,
  ElicitationResponse,
} from '../../protocol/events/ask.ts'
import type { Answer } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { limits } from '../../protocol/limits.ts'
import type { OpenCall, SessionState } from '../../log/state.ts'
import { type Append, refuse } from '../append.ts'

interface Asked {
  ask: ElicitationRequest
  call: OpenCall
}

/** The reason why a yes cannot have the scope that it was given; null when it can. */
export function badScope(
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
export function ruleOf(
  append: Append,
  { offer }: ElicitationRequest,
  scope: AskScope,
): Pick<ElicitationResponse, 'rule'> {
  const rule = offer?.rule
  if (rule === undefined || (scope !== 'session' && scope !== 'folder')) return {}
  return { rule: { ...rule, id: `rule-${append.id().slice(-8)}`, scope } }
}

/** The settings that a yes takes as they are: those that were shown, if this is still the shell that has them. */
export function settingsOf(
  { shell }: SessionState,
  { settings, fingerprint }: ElicitationRequest,
  scope: AskScope,
): Pick<ElicitationResponse, 'settings'> {
  if (scope !== 'shell' || settings === undefined || shell.phase !== 'live') return {}
  return fingerprint?.startsWith(`${shell.generation}:`) ? { settings } : {}
}
