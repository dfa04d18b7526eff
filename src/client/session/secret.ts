import type { SubmitAs } from '../../protocol/http/intent.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { mayBeSecret, type Letter } from '../../view/rows/letter.ts'
import { runInFront, secretQuestion } from '../../view/secret-question.ts'
import type { View } from '../../view/fold/view.ts'
import type { Socket } from '../socket/socket.ts'
import { createStore, type Store } from '../store.ts'
import type { Composer } from './composer.ts'
import type { Outbox } from './outbox.ts'
import { createRecent } from './recent.ts'

/** A line that is for the program in the terminal, or may be. It is never kept. */
export interface Secret {
  /**
   * `asked`: a program reads a secret. `likely`: its words say so, and the person says who the line is for. `over`:
   * nothing reads a secret any more, and a line is left.
   */
  phase: 'asked' | 'likely' | 'over'
  /** The program that asks; empty when that is not known. */
  program: string
  /** The question as it stands in the terminal; null when the kernel told. */
  question: string | null
  text: string
  /** The text, or its beginning, was written as a message. */
  wasMessage: SubmitAs | null
  /** It is on its way. */
  isSent: boolean
  problem: string | null
}

/** The masked field in the composer's place; null while nothing asks for it. */
export interface SecretField extends Store<Secret | null> {
  write(text: string): void
  /** Types it, to the program only. */
  send(): Promise<void>
  /** It was meant for the model all the same. */
  toModel(): void
  /** It was meant as a message: the composer has it again. */
  putBack(): void
  discard(): void
}

export interface SecretDeps {
  session: SessionId
  type: Socket['secret']
  outbox: Pick<Outbox, 'letters' | 'takeBack'>
  composer: Pick<Composer, 'get' | 'subscribe' | 'dispatch'>
  view: () => View
  submit: (input: Pick<Letter, 'text' | 'as' | 'notSecret'>) => void
  now: () => number
}

const none = {
  program: '',
  question: null,
  wasMessage: null,
  isSent: false,
  problem: null,
} as const

export function createSecretField(deps: SecretDeps) {
  const { session, composer, outbox } = deps
  const field = createStore<Secret | null>(null)
  const typed = createRecent(composer, () => performance.now())
  let run = runInFront(deps.view())
  /** The terminal said that a secret is read. It does not say so of programs that somebody typed there. */
  let isTold = false
  /** The run and program that the line in the field is for, as far as that is known. */
  let reader: string | null = null

  /** The kernel told that a secret is read, or is not any more. */
  function look(): void {
    const [now, { terminal }] = [field.get(), deps.view()]
    const inFront = runInFront(deps.view())
    // A line from before a program began is not for it.
    if (inFront !== run) typed.begin()
    const isOver = isTold || (run !== null && inFront === null)
    run = inFront
    isTold = terminal?.screen === 'secret'
    if (terminal?.screen === 'secret') return isRead(now, terminal.program ?? '')
    if (isOver && now?.phase === 'asked') field.set(ended(now))
  }

  function isRead(now: Secret | null, program: string): void {
    const next = `${run} ${program}`
    // A line for one program is never another's. A message stays until the person has it back.
    const isOther = now !== null && reader !== null && reader !== next
    if (isOther && now.wasMessage !== null) return field.set(ended(now))
    reader = next
    if (now === null || isOther) return ask(program)
    if (now.phase !== 'asked' || now.program !== program)
      field.set({ ...now, phase: 'asked', program, question: null, problem: null })
  }

  /** Keys that were meant for the program went to the composer until it was known that it asks. */
  function ask(program: string): void {
    const { kept, rest } = typed.split(composer.get().text)
    const wasMessage = rest === '' ? null : 'auto'
    field.set({ ...none, phase: 'asked', program, text: rest, wasMessage })
    if (rest !== '') composer.dispatch({ type: 'typed', text: kept, cursor: kept.length })
  }

  /** A line that the session refused since a secret is read. */
  function takeRefused(): void {
    for (const { key, session: of, text, as, at, state } of outbox.letters.get()) {
      if (of !== session || state.phase !== 'refused') continue
      if (!mayBeSecret({ text, at }, { code: state.code, now: deps.now() })) continue
      if (!outbox.takeBack(key)) continue
      const isLikely = state.code === 'secret_suspected'
      const { kept, rest } = isLikely ? { kept: '', rest: text } : typed.split(text)
      const line = isLikely ? likely(deps.view()) : surely(field.get())
      reader = null
      field.set({ ...line, text: rest, wasMessage: as })
      if (kept !== '') composer.dispatch({ type: 'handed-back', text: kept, as })
      // A draft that came back was not typed just now.
      typed.begin()
    }
  }

  const stops = [outbox.letters.subscribe(takeRefused), typed.stop]
  takeRefused()

  return {
    get: field.get,
    subscribe: field.subscribe,
    look,
    /** Whether the line waits for the person to say who it is for. */
    holds({ text, as }: { text: string; as: SubmitAs }): boolean {
      const line = likely(deps.view())
      if (isCommand(text) || line.question === null) return false
      reader = null
      field.set({ ...line, text, wasMessage: as })
      return true
    },
    ...actionsOf(field, { ...deps, look, begin: typed.begin }),
    close(): void {
      for (const stop of stops) stop()
    },
  }
}

type SecretActions = Omit<SecretField, keyof Store<Secret | null>>

/** The person's choices. */
function actionsOf(
  field: Store<Secret | null> & { set(next: Secret | null): void },
  { session, type, composer, submit, look, begin }: SecretDeps & { look(): void; begin(): void },
): SecretActions {
  function change(changes: Partial<Secret>): void {
    const now = field.get()
    if (now !== null) field.set({ ...now, ...changes })
  }
  /** The line that was given away last: the answer to an older one, or to one that somebody took back, is nobody's. */
  let given = 0

  return {
    write: (text) => change({ text, problem: null, ...(text === '' && { wasMessage: null }) }),
    async send() {
      const now = field.get()
      if (now === null || now.isSent) return
      const mine = (given += 1)
      change({ isSent: true, problem: null })
      const refusal = await type(session, `${now.text}\r`)
      const then = field.get()
      // Another program asks by now: a line for one is never another's.
      if (mine !== given || then?.isSent === false) return look()
      if (refusal !== null) {
        const left = { ...(then ?? now), isSent: false, problem: refusal.message }
        const isOver = left.phase === 'asked' && refusal.code === 'not_waiting'
        return field.set(isOver ? ended(left) : left)
      }
      // The next question is another one; a program that asks again has an empty field.
      field.set(null)
      begin()
      look()
    },
    toModel() {
      const now = field.get()
      given += 1
      field.set(null)
      if (now !== null && now.text !== '')
        submit({ text: now.text, as: now.wasMessage ?? 'auto', notSecret: true })
      look()
    },
    putBack() {
      const now = field.get()
      if (now === null) return
      given += 1
      if (now.phase === 'asked') change({ ...none, program: now.program, text: '' })
      else field.set(null)
      composer.dispatch({ type: 'handed-back', text: now.text, as: now.wasMessage ?? 'auto' })
      begin()
      look()
    },
    discard() {
      given += 1
      field.set(null)
      look()
    },
  }
}

const likely = (view: View) =>
  ({ ...none, phase: 'likely', question: secretQuestion(view) }) as const

/** A line that was refused since the kernel told; the program may be known by now. */
const surely = (now: Secret | null) =>
  ({ ...none, phase: 'asked', program: now?.program ?? '', problem: notSent }) as const

const notSent =
  'It was not sent to the model: a program reads a secret. Enter gives it to the program.'

/** The field when its program reads no more. */
function ended(now: Secret): Secret | null {
  if (now.text === '' || now.isSent) return null
  if (now.phase === 'over') return now
  const problem = now.problem ?? 'Nothing reads a secret any more; what you typed went nowhere.'
  return { ...now, phase: 'over', problem }
}

/** A command of the session's or the client's; no password is one. */
const isCommand = (text: string) => /^\s*\/[a-z]+(\s|$)/.test(text)
