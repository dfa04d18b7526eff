import { assertNever } from '../protocol/assert-never.ts'
import type { Submit } from '../protocol/intent.ts'
import { limits } from '../protocol/limits.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { advance, openEpoch, startTurn } from './advance.ts'
import type { Append } from './append.ts'
import type { Catalogue } from './catalogue.ts'
import { findCommand } from './commands/registry.ts'
import { type Directive, localCommands, parseInput } from './input.ts'
import { badCommand, refuse } from './refuse.ts'

/** Routes raw text: a command for the shell, a prompt for the model, or a no. */
export function decideSubmit(append: Append, intent: Submit, catalogue: Catalogue): Refusal | null {
  const directive = parseInput(intent.text, intent.as)
  switch (directive.kind) {
    case 'nothing':
      return null
    case 'run':
      return submitRun(append, { intent, directive }, catalogue)
    case 'prompt':
      return submitPrompt(append, directive.text, catalogue)
    case 'command':
      return submitCommand(append, { text: intent.text, directive }, catalogue)
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
      timeoutMs: append.state.limits.personSilenceMs,
      private: directive.private || append.state.private,
      thenTurn: thenTurn && !append.state.private,
    },
  })
  advance(append, catalogue)
  return null
}

function submitPrompt(append: Append, text: string, catalogue: Catalogue): Refusal | null {
  // A step may outlive its aborted turn by a moment; what is said meanwhile waits for its end.
  if (append.state.turn || append.state.step) {
    if (append.state.queue.length >= limits.queuedInputs)
      return refuse('queue_full', `${limits.queuedInputs} inputs are waiting already.`)
    append.add({ type: 'input_queued', text })
    return null
  }
  openEpoch(append, catalogue)
  const prompt = append.add({
    type: 'message',
    role: 'user',
    parts: [{ type: 'text', text }],
    inContext: true,
    synthetic: false,
  })
  startTurn(append, catalogue, { trigger: prompt })
  return null
}

function submitCommand(
  append: Append,
  { text, directive }: { text: string; directive: Directive & { kind: 'command' } },
  catalogue: Catalogue,
): Refusal | null {
  const command = findCommand(directive.name)
  if (command === undefined) return unknownCommand(directive.name)
  return command.run(append, { text, args: directive.args }, catalogue)
}

function unknownCommand(name: string): Refusal {
  if (localCommands.some((local) => local === name))
    return refuse(
      'local_command',
      `/${name} belongs to the screen you type at, not to the session.`,
    )
  return refuse(
    'unknown_command',
    `There is no command /${name}. To say it to the model, begin with a backslash: \\/${name}`,
  )
}
