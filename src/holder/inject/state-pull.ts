import { createHmac, randomBytes } from 'node:crypto'
import { concealValues, joinRecords, splitRecords } from '../../protocol/holder/live-records.ts'
import { createPull, type PullOptions } from './pull.ts'

export interface StatePullOptions extends Omit<
  PullOptions,
  'mark' | 'name' | 'key' | 'takesText' | 'tries'
> {
  /** Missing where the shell cannot say. */
  key: string | undefined
}

export interface StatePull {
  /** Without a question it answers with the first state that the shell had. */
  ask: (question: Buffer) => void
}

const nothing = Buffer.alloc(0)
const firstQuestion = Buffer.from('first\0')

/**
 * Asks the shell what a command would mean in it now. The first state, after the start files and before anybody had
 * a command brought in, is kept here: later ones are compared to it, by whichever server.
 */
export function createStatePull({ key, answer, ...options }: StatePullOptions): StatePull {
  if (key === undefined) return { ask: () => answer(nothing) }
  const { current } = options
  const conceal = createConcealing()
  const pull = createPull({
    ...options,
    answer: hear,
    key,
    name: 'state',
    mark: 'S',
    takesText: true,
    tries: 3,
  })
  let first: Buffer = nothing
  /** Questions that came while the first state was on its way; null when it is not. */
  let waiting: readonly Buffer[] | null = null
  current.firstState = { onPrompt }

  function onPrompt(): void {
    // The answer to another question is no first state.
    if (waiting !== null || current.pulls.S !== undefined) return
    const hasTaken = current.injector.state.pending.attempt > 0
    if (hasTaken) return void (current.firstState = null)
    waiting = []
    pull.ask(firstQuestion)
  }

  function hear(bytes: Buffer): void {
    if (waiting === null) return answer(conceal(bytes))
    const questions = waiting
    waiting = null
    first = conceal(bytes)
    if (first.length > 0) current.firstState = null
    for (const question of questions) ask(question)
  }

  function ask(question: Buffer): void {
    if (waiting !== null) waiting = [...waiting, question]
    else if (question.length > 0) pull.ask(question)
    else answer(first)
  }

  return { ask }
}

/** Values of variables are compared only, and never leave: under a key of this holder's own. */
function createConcealing(): (bytes: Buffer) => Buffer {
  const key = randomBytes(32)
  const hash = (value: string) =>
    createHmac('sha256', key).update(value, 'latin1').digest('base64url')
  return (bytes) => {
    const records = splitRecords(bytes.toString('latin1'))
    return Buffer.from(joinRecords(concealValues(records ?? [], hash)), 'latin1')
  }
}
