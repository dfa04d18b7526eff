import type { ToolRequest } from '../../protocol/events/call.ts'
import type { InputKind } from '../../protocol/http/completion.ts'
import type { Event } from '../../protocol/events/event.ts'
import { textOf } from '../../protocol/events/message.ts'
import type { RunRequest } from '../../protocol/events/run.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { isAttendedFrom } from '../../log/evolve.ts'
import { typedPrompt } from '../../base/text.ts'
import { hasSecret } from '../../session/policy/secrets.ts'

/** An input of a person’s, as the log of its session tells it. */
export interface StoredInput {
  session: SessionId
  seq: number
  at: number
  kind: InputKind
  text: string
}

/** Facts of a session that its next event is read with. */
export interface InputsSoFar {
  isPrivate: boolean
  /** Nobody sits at a session that a program began for one question. */
  isAttended: boolean
}

export const beforeAny: InputsSoFar = { isPrivate: false, isAttended: true }

/** A pasted file is not what somebody wants back letter by letter. */
const maxChars = 10_000

/** The inputs among events that follow each other: nothing private, no secrets. */
export function inputsOf(
  session: SessionId,
  events: readonly Event[],
  before: InputsSoFar,
): { inputs: readonly StoredInput[]; after: InputsSoFar } {
  const inputs: StoredInput[] = []
  let after = before
  for (const event of events) {
    after = follow(after, event)
    if (after.isPrivate || !after.isAttended || event.by.kind !== 'user') continue
    const input = inputOf(event)
    if (input === null || !isKept(input.text)) continue
    inputs.push({ session, seq: event.seq, at: event.at, ...input })
  }
  return { inputs, after }
}

function follow(so: InputsSoFar, event: Event): InputsSoFar {
  if (event.type === 'session_start') return { ...so, isAttended: isAttendedFrom(event) }
  if (event.type !== 'session_update' || event.private === undefined) return so
  return { ...so, isPrivate: event.private }
}

function isKept(text: string): boolean {
  return text.trim() !== '' && text.length <= maxChars && !hasSecret(text)
}

type Input = Pick<StoredInput, 'kind' | 'text'>

function inputOf(event: Event): Input | null {
  if (event.type === 'message' && event.role === 'user' && !event.synthetic)
    return { kind: 'chat', text: typedPrompt(textOf(event.parts)) }
  if (event.type === 'input_queued') return { kind: 'chat', text: typedPrompt(event.text) }
  if (event.type === 'run_start' && event.source === 'typed' && !event.private)
    return { kind: 'shell', text: event.command }
  return event.type === 'tool_request' && event.meta.isClientInitiated ? askedFor(event) : null
}

/** An answer to a question is no input of its own. */
const answers = new Set(['approve', 'deny'])

function askedFor({ run, read, prompt, name, args }: ToolRequest): Input | null {
  // A file that a prompt names is part of the prompt.
  if (read || prompt !== undefined || answers.has(name)) return null
  if (run) return ran(run, args)
  return args.trimStart().startsWith('/') ? { kind: 'chat', text: args.trim() } : null
}

function ran(run: RunRequest, args: string): Input | null {
  if (run.private) return null
  if (run.source === 'bang' || run.source === 'bash') return { kind: 'shell', text: run.command }
  // The rest comes from programs.
  return run.source === 'slash' ? { kind: 'chat', text: args.trim() } : null
}

export function newestFirst(inputs: readonly StoredInput[]): readonly StoredInput[] {
  return [...inputs].sort((a, b) => b.at - a.at || b.seq - a.seq)
}
