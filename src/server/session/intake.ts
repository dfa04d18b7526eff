import type { By } from '../../protocol/events/event-base.ts'
import type { Intent } from '../../protocol/http/intent.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { ok, refused, type Result } from '../../base/result.ts'
import type { IntentKey } from '../../protocol/events/seq.ts'
import { assertNever } from '../../base/assert-never.ts'
import type { Command } from '../../session/commands/command.ts'
import { findCommand } from '../../session/commands/registry.ts'
import { privately } from '../../session/commands/settings.ts'
import { parseInput } from '../../session/decide/decide.ts'
import type { Accepted } from '../../protocol/http/session-view.ts'
import type { SessionState } from '../../log/state.ts'
import type { SecretAsked } from '../terminal/shell/session.ts'
import { createSerial } from './serial.ts'
import type { Looked, Writer } from './writer.ts'

export interface IntakeDeps {
  writer: Pick<Writer, 'handle' | 'state'>
  /** Looks at the world anew; what it found counts when the answer is called. */
  lookAround(intent: Intent): Promise<() => void>
  /** The end of the terminal's byte log; null when the shell's holder does not answer. */
  ptyAt(): Promise<number | null>
  /** Whether a secret is asked for now; null: none is. */
  secretAsked(): Promise<SecretAsked | null>
  /** The intent of this key was taken before. */
  isTaken(key: IntentKey): Promise<boolean>
  queue: IntakeQueue
}

/** Intents are looked at one after the other, in the order in which they came: what is said first is heard first. */
export type IntakeQueue = ReturnType<typeof createIntakeQueue>

export function createIntakeQueue() {
  const { run } = createSerial()
  let held: Promise<void> = Promise.resolve()
  return {
    run,
    /** Intents that come from now on wait for this. */
    hold(work: Promise<void>): void {
      held = work
      void run(() => work)
    },
    /** Resolves with what is held for. */
    held: () => held,
  }
}

/**
 * Intents wait here for the world outside before they enter the session's queue: files are looked at, and a shell
 * is waited for. Stop, answers and reports pass by.
 */
export type Intake = Pick<Writer, 'handle'>

const asBefore = () => undefined

type Answer = Result<Accepted, Refusal>

interface Arrived {
  intent: Intent
  by: By
  /** Whether a secret was asked for when it came. */
  secret: Promise<SecretAsked | null>
}

const inOrder: ReadonlySet<Intent['type']> = new Set(['submit', 'shell', 'edit_queued', 'update'])

export function createIntake(deps: IntakeDeps): Intake {
  const { writer, lookAround, ptyAt, queue } = deps
  let looking = 0
  let stops = 0

  async function look(intent: Intent): Promise<Result<Looked, Refusal>> {
    const at = mayHide(intent) ? await ptyAt() : 0
    if (at === null) return refused(silent)
    const ready = needsWorld(intent, writer.state()) ? await lookAround(intent) : asBefore
    return ok({ ptyAt: at, ready })
  }

  /** The answer is wrapped: who waits here does not wait for the queue as well. */
  async function enter({
    intent,
    by,
    secret,
  }: Arrived): Promise<{ answer: Answer | Promise<Answer> }> {
    const stopsBefore = stops
    const asked = await secret
    const refusal = asked && noText(intent, asked)
    if (refusal !== null && !(await isRepeated(intent))) return { answer: refused(refusal) }
    const looked = await look(intent)
    if (!looked.ok) return { answer: looked }
    if (stops !== stopsBefore) return { answer: refused(overtaken) }
    return { answer: writer.handle(intent, by, looked.value) }
  }

  /** An intent that was taken before stores nothing. A store that cannot say so has not taken it. */
  async function isRepeated(intent: Intent): Promise<boolean> {
    const key = 'key' in intent ? intent.key : undefined
    return key !== undefined && (await deps.isTaken(key).catch(() => false))
  }

  async function handleInOrder(intent: Intent, by: By): Promise<Answer> {
    looking += 1
    // The kernel is asked as it comes, not when it is its turn.
    const secret = mayBeSecret(intent) ? deps.secretAsked() : Promise.resolve(null)
    try {
      return await (
        await queue.run(() => enter({ intent, by, secret }))
      ).answer
    } finally {
      looking -= 1
    }
  }

  /** Stop also reaches a prompt whose files are still being looked at. */
  async function stop(intent: Intent, by: By): Promise<Answer> {
    const isEarly = looking > 0
    if (isEarly) stops += 1
    const answer = await writer.handle(intent, by)
    const isNone = !answer.ok && answer.error.code === 'no_turn'
    return isEarly && isNone ? ok({ first: null, head: writer.state().head }) : answer
  }

  return {
    async handle(intent, by) {
      if (inOrder.has(intent.type)) return handleInOrder(intent, by)
      if (intent.type === 'abort') return stop(intent, by)
      if (hasWords(intent)) {
        const asked = await deps.secretAsked()
        if (asked?.phase === 'asked') return refused(awaited(asked))
      }
      const answer = await writer.handle(intent, by)
      // A person who restarts a shell hears of it when the old one is gone.
      if (intent.type === 'interrupt' && intent.signal === 'restart') await queue.held()
      return answer
    },
  }
}

/** Whether deciding an intent needs the world as it is now. A command for the terminal never waits for it. */
function needsWorld(intent: Intent, { epoch }: SessionState): boolean {
  if (intent.type === 'update') return intent.approval !== undefined
  if (intent.type === 'shell' || intent.type === 'edit_queued') return true
  if (intent.type !== 'submit') return false
  const directive = parseInput(intent.text, intent.as)
  switch (directive.kind) {
    case 'nothing':
      return false
    case 'run':
      // Only one that a turn follows may have to tell the model of the world.
      return epoch === null && directive.thenTurn
    case 'prompt':
      return epoch === null || directive.text.includes('@')
    case 'command':
      return true
    default:
      return assertNever(directive)
  }
}

/** Private mode is changed by it, or may be: where the output stood then has to be known. */
function mayHide(intent: Intent): boolean {
  if (intent.type === 'update') return intent.private !== undefined
  return commandOf(intent) === privately
}

/** A typed line, whatever it looks like: a password may begin like a command. The session's own commands are none. */
function mayBeSecret(intent: Intent): boolean {
  if (intent.type === 'edit_queued') return true
  if (intent.type !== 'submit') return false
  return commandOf(intent) === undefined
}

/** The session's own command that an intent is. */
function commandOf(intent: Intent): Command | undefined {
  if (intent.type !== 'submit') return undefined
  const directive = parseInput(intent.text, intent.as)
  return directive.kind === 'command' ? findCommand(directive.name) : undefined
}

/** An answer that tells the model something, or changes its command. */
function hasWords(intent: Intent): boolean {
  return intent.type === 'answer' && (intent.word ?? intent.command) !== undefined
}

/** Why a text is not taken while a secret is asked for; a person's word counts only where the kernel cannot tell. */
function noText(intent: Intent, asked: SecretAsked): Refusal | null {
  if (asked.phase === 'asked') return awaited(asked)
  if ('notSecret' in intent && intent.notSecret === true) return null
  const { question } = asked
  return {
    code: 'secret_suspected',
    message: `“${question}” in the terminal looks like a question for a password, so this was not taken and not kept. If it is no password, say so and send it again.`,
    detail: { question },
  }
}

function awaited({ program }: { program: string }): Refusal {
  const who = program === '' ? 'The program in the terminal' : program
  return {
    code: 'secret_awaited',
    message: `${who} reads a secret, so this was not taken and not kept. Type the secret in the terminal, or stop the program.`,
    detail: { program },
  }
}

const silent: Refusal = {
  code: 'terminal_busy',
  message: 'The shell does not answer: where private begins or ends cannot be told. Restart it.',
}

const overtaken: Refusal = { code: 'no_turn', message: 'It was stopped before it began.' }
