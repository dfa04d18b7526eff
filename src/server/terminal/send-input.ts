import { ok } from '../../protocol/result.ts'
import type { TerminalInput } from '../../protocol/terminal-act.ts'
import type { RunFollower } from './follow-run.ts'
import { inputBytes } from './input-bytes.ts'
import type { SendOptions, Sent } from './terminal.ts'

export interface InputTarget {
  /** What runs by order, if anything does. */
  run: Pick<RunFollower, 'send'> | undefined
  /** A program that a person started by typing. */
  isTheirs: boolean
}

const none = { head: '', tail: '', omittedChars: 0 }

/** The model's input, to a run and to nothing else. */
export async function sendInput(
  { run, isTheirs }: InputTarget,
  input: TerminalInput,
  options: SendOptions,
): Promise<Sent> {
  const bytes = input.type === 'interrupt' ? ok(null) : inputBytes(input)
  if (!bytes.ok) return { refused: bytes.error, state: 'running', output: none }
  const why = isTheirs ? 'the user runs a program of their own' : 'nothing is running'
  const refused = { refused: why, state: isTheirs ? 'running' : 'ended', output: none } as const
  return (await run?.send(bytes.value, options)) ?? refused
}
