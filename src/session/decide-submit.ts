import { assertNever } from '../protocol/assert-never.ts'
import type { Submit } from '../protocol/intent.ts'
import { limits } from '../protocol/limits.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { advance } from './advance.ts'
import type { Append } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { type Directive, parseInput } from './input.ts'
import { sayPrompt } from './prompt.ts'
import { badCommand, refuse } from './refuse.ts'
import { routeCommand } from './route-command.ts'

/** Routes raw text: a command for the shell, a prompt for the model, a command of ours, or a no. */
export function decideSubmit(append: Append, intent: Submit, catalogue: Catalogue): Refusal | null {
  const directive = parseInput(intent.text, intent.as)
  switch (directive.kind) {
    case 'nothing':
      return null
    case 'run':
      return submitRun(append, { intent, directive }, catalogue)
    case 'prompt':
      return sayPrompt(append, { text: directive.text, isPaste: intent.as === 'text' }, catalogue)
    case 'command':
      return routeCommand(append, { ...directive, text: intent.text }, catalogue)
    default:
      return assertNever(directive)
  }
}

interface RunInput {
  intent: Submit
  directive: Directive & { kind: 'run' }
}

function submitRun(
  append: Append,
  { intent, directive }: RunInput,
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
