import { assertNever } from '../../base/assert-never.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import { isComment, isInvisible } from '../../base/text.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { Intent, Submit, SubmitAs, Update } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { limits } from '../../protocol/limits.ts'
import type { SessionState } from '../../log/state.ts'
import {
  type Append,
  badCommand,
  type Envelope,
  type LiveOrders,
  openAppend,
  refuse,
} from '../append.ts'
import type { Catalogue } from '../catalogue.ts'
import { commandName, sameName } from '../commands/grammar.ts'
import { advance } from '../due.ts'
import { decideAnswer } from './answer.ts'
import { expandCommandFile, isTooLong } from './command-file.ts'
import { refuseMode } from './refuse-mode.ts'
import { decideShell } from './one-shot.ts'
import { sayPrompt } from './prompt.ts'
import { findTyped, type Names, routeCommand } from './route-command.ts'
import { abort, editQueued, withdraw, adopt, drive, interrupt, keep } from './take-back.ts'

/** The outcome of an intent: events to append, and perhaps orders for the live terminal. */
export interface Decision extends LiveOrders {
  events: readonly Event[]
}

/** The rules of the session, for everything a client may ask. Never throws. */
export function decide(
  state: SessionState,
  envelope: Envelope<Intent>,
  catalogue: Catalogue,
): Result<Decision, Refusal> {
  const append = openAppend(state, envelope)
  const refusal = apply(append, envelope.body, catalogue)
  if (refusal) return refused(refusal)
  return ok({ events: append.events, ...append.orders })
}

function apply(append: Append, intent: Intent, catalogue: Catalogue): Refusal | null {
  switch (intent.type) {
    case 'submit':
      return submit(append, intent, catalogue)
    case 'shell':
      return decideShell(append, intent, catalogue)
    case 'answer':
      return decideAnswer(append, intent, catalogue)
    case 'abort':
      return abort(append, catalogue)
    case 'interrupt':
      return interrupt(append, intent)
    case 'keep':
      return keep(append)
    case 'adopt':
      return adopt(append)
    case 'proceed':
      return proceed(append, catalogue)
    case 'drive':
      return drive(append, intent)
    case 'withdraw':
      return withdraw(append, intent, catalogue)
    case 'edit_queued':
      return editQueued(append, intent, catalogue)
    case 'update':
      return update(append, intent, catalogue)
    default:
      return assertNever(intent)
  }
}

function proceed(append: Append, catalogue: Catalogue): Refusal | null {
  if (append.state.wanted === null)
    return refuse('no_turn', 'There is nothing that the model could go on from.')
  advance(append, catalogue)
  return null
}

function update(append: Append, changes: Update, catalogue: Catalogue): Refusal | null {
  const { revoke, ...rest } = changes
  const { title, approval, private: isPrivate } = rest
  if ([title, approval, isPrivate, revoke].every((each) => each === undefined))
    return refuse('nothing_to_change', 'Give a title, an approval mode, private or a rule.')
  if (revoke !== undefined && !isRevocable(append.state, revoke))
    return refuse('unknown_rule', `This session has no rule ${revoke}.`)
  const refusal = approval === undefined ? null : refuseMode(approval, catalogue)
  if (refusal) return refusal
  const place = isPrivate === undefined ? {} : { ptyAt: append.ptyAt }
  const revoked = revoke === undefined ? {} : { revoked: revoke }
  append.add({ ...rest, ...place, ...revoked, type: 'session_update' })
  if (approval !== undefined) advance(append, catalogue)
  return null
}

function isRevocable({ rules, settings }: SessionState, wanted: string): boolean {
  if (wanted === 'settings') return settings.length > 0
  return rules.some(({ id }) => id === wanted)
}

/** Routes raw text: a command for the shell, a prompt for the model, a command of ours, or a no. */
function submit(append: Append, intent: Submit, catalogue: Catalogue): Refusal | null {
  const directive = parseInput(intent.text, intent.as)
  switch (directive.kind) {
    case 'nothing':
      return null
    case 'run':
      return runCommand(append, { intent, directive }, catalogue)
    case 'prompt':
      return sayPrompt(append, { text: directive.text, isPaste: intent.as === 'text' }, catalogue)
    case 'command':
      return routeCommand(append, { ...directive, text: intent.text }, catalogue)
    default:
      return assertNever(directive)
  }
}

function runCommand(
  append: Append,
  { intent, directive }: { intent: Submit; directive: Directive & { kind: 'run' } },
  catalogue: Catalogue,
): Refusal | null {
  const { command, thenTurn } = directive
  const bad = badCommand(command)
  if (bad) return bad
  if (append.state.calls.length >= limits.waitingCalls)
    return refuse('queue_full', `${limits.waitingCalls} commands are waiting already.`)
  append.add({
    type: 'tool_request',
    meta: { isClientInitiated: true },
    name: 'terminal_execute',
    args: intent.text,
    index: 0,
    step: null,
    run: {
      command,
      lane: 'terminal',
      source: intent.as === 'run' ? 'bash' : 'bang',
      timeoutMs: intent.timeoutMs ?? append.state.limits.personSilenceMs,
      private: directive.private || append.state.private,
      thenTurn: thenTurn && !append.state.private,
    },
  })
  advance(append, catalogue)
  return null
}

/** A raw input, parsed. The session decides this, never a UI. */
type Directive =
  | { kind: 'nothing' }
  | { kind: 'run'; command: string; private: boolean; thenTurn: boolean }
  | { kind: 'prompt'; text: string }
  | { kind: 'command'; name: string; args: string }

export function parseInput(text: string, as: SubmitAs): Directive {
  const trimmed = text.trimStart()
  if (as === 'text') return prompt(text)
  if (trimmed.startsWith('!')) return bang(trimmed.slice(1))
  if (as === 'run') return run(text, {})
  if (trimmed.startsWith('\\!') || trimmed.startsWith('\\/')) return prompt(trimmed.slice(1))
  return slash(trimmed) ?? prompt(text)
}

function bang(rest: string): Directive {
  if (rest.startsWith('!')) return run(rest.slice(1), { private: true })
  if (rest.startsWith('?')) return run(rest.slice(1), { thenTurn: true })
  return run(rest, {})
}

function run(text: string, flags: { private?: boolean; thenTurn?: boolean }): Directive {
  const command = text.trim()
  if (isComment(command)) return { kind: 'nothing' }
  return { kind: 'run', command, private: false, thenTurn: false, ...flags }
}

function prompt(text: string): Directive {
  return isInvisible(text) ? { kind: 'nothing' } : { kind: 'prompt', text }
}

const named = new RegExp(String.raw`^/(${commandName})(?:\s+([\s\S]*))?$`, 'u')

/** `/name args`. */
function slash(text: string): Directive | null {
  const [, name, args = ''] = named.exec(text) ?? []
  return name === undefined ? null : { kind: 'command', name: sameName(name), args }
}

/** The text in which an input mentions files: a command file may do so itself. */
export function mentioningText(input: string, names: Names): string {
  const directive = parseInput(input, 'auto')
  const found = directive.kind === 'command' ? findTyped(directive.name, names) : null
  if (directive.kind !== 'command' || found?.kind !== 'file') return input
  if (isTooLong(found.file, directive.args)) return input
  return expandCommandFile(found.file, directive.args).text
}
