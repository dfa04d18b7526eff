import type { ElicitationRequest } from '../protocol/ask.ts'
import { type Append, system } from './append.ts'

type Question = Pick<ElicitationRequest, 'kind' | 'request' | 'command' | 'cwd' | 'mark'> & {
  reasons: readonly string[]
  /** What the command really comes to, if that is not what it says. */
  effective?: string
}

/** Asks a person about a call, which waits for the answer. */
export function openAsk(append: Append, question: Question): void {
  const { command, reasons } = question
  append.add(
    {
      effective: command,
      ...question,
      type: 'elicitation_request',
      ask: `ask-${append.id()}`,
      reasons: [...reasons],
      generation: append.state.stamp,
    },
    system,
  )
}
