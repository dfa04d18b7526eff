import { readSession } from '../../client/session/records.ts'
import { intentsOf } from '../../client/session/intents.ts'
import {
  askWords,
  editedAnswer,
  editLabel,
  gradeWords,
  shownGrade,
  typedAnswer,
  typedQuestion,
  causeLine,
} from '../../view/words/ask.ts'
import { type Asked, widerYes } from '../../view/words/wider-yes.ts'
import { restOfReply } from '../../view/fold/calls.ts'
import type { Submission } from '../../client/wire/call.ts'
import { refusalOf } from '../../client/wire/client-error.ts'
import type { Client } from '../../client/wire/connect.ts'
import type { ElicitationRequest } from '../../protocol/events/ask.ts'
import type { ToolRequest } from '../../protocol/events/call.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import type { SessionView } from '../../protocol/http/session-view.ts'
import { isInteractive, type Io, question } from '../io.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'

/** Says what waits, and why; nothing in it can hide. */
function describeAsk(io: Io, ask: ElicitationRequest, { open }: SessionView): void {
  const call = open.calls.find(({ seq }) => seq === ask.request)
  io.note(`${wish(call, ask)}: ${printableLine(call?.read?.file ?? ask.command)}`)
  if (ask.effective !== ask.command) io.note(`  which runs: ${printableLine(ask.effective)}`)
  const grade = shownGrade(ask, { isRead: call?.read !== undefined })
  if (grade) io.note(`  effect: ${gradeWords[grade]}`)
  if (ask.cwd !== null) io.note(`  in: ${printableLine(ask.cwd)}`)
  for (const reason of ask.reasons) {
    io.note(`  because: ${printableLine(reason)}`)
    const line = causeLine(ask, reason)
    if (line !== null) io.note(`     ${printableLine(line)}`)
  }
}

/** The question with what only the session knows: the commands that wait behind it. */
function withRest(ask: ElicitationRequest, { open }: SessionView): ElicitationRequest & Asked {
  const call = open.calls.find(({ seq }) => seq === ask.request)
  const isEditable = call?.run !== undefined && isOneLine(ask.command)
  return { ...ask, rest: restOfReply(open.calls, ask.request), isEditable }
}

/** A line editor takes control characters for keys, and the end of a line for the end. */
const isOneLine = (command: string) => !/\p{Cc}/u.test(command)

/** Tells each answer that counts for more before it can be given. */
function describeWider(io: Io, asked: Asked): void {
  for (const { key, title, covers, end } of widerYes(asked)) {
    io.note(`  ${key}: ${title}. ${end}`)
    for (const covered of covers) io.note(`     ${printableLine(covered)}`)
  }
}

function wish(call: ToolRequest | undefined, { kind }: ElicitationRequest): string {
  if (call?.read) return 'The model would read'
  if (kind === 'terminal_input') return 'The model wants to type'
  return call?.prompt === undefined ? 'The model wants to run' : 'The command file wants to run'
}

/** Nobody is here to be asked: what to do about it later, from anywhere. */
export function explainAsk(io: Io, session: SessionView, ask: ElicitationRequest): void {
  io.note('tandem: approval needed; the question stays open.')
  describeAsk(io, ask, session)
  io.note(`See it with:     tandem sessions show ${session.id}`)
  io.note(`Answer it with:  tandem answer ${ask.ask} allow   (or deny)`)
}

/**
 * Asks the person at this terminal and passes on what they say, unless someone else was first.
 * False when they left the question open.
 */
export async function askPerson(
  { io, client, session }: { io: Io; client: Client; session: SessionId },
  ask: ElicitationRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const view = await readSession(client, session)
  describeAsk(io, ask, view)
  const isRead = view.open.calls.some(({ seq, read }) => seq === ask.request && read)
  const asked = withRest(ask, view)
  describeWider(io, asked)
  const said = await answered(io, { asked, text: typedQuestion(asked, { isRead }) }, signal)
  if (signal.aborted) return true
  if (said === null) return false
  const body = { ask: ask.ask, ...said }
  await intentsOf(client, session)
    .answer(body)
    .catch((error: unknown) => {
      const code = refusalOf(error)?.code
      if (code !== 'already_answered' && code !== 'unknown_ask') throw error
      io.note('tandem: someone else answered first.')
    })
  return true
}

type Given = Exclude<ReturnType<typeof typedAnswer>, { outcome: 'edit' } | null>

/** Asks until there is an answer; null when they left it. */
async function answered(
  io: Io,
  { asked, text }: { asked: ElicitationRequest & Asked; text: string },
  signal: AbortSignal,
): Promise<Given | ReturnType<typeof editedAnswer>> {
  for (;;) {
    const said = await question(text, signal)
    if (said === null) return null
    const answer = typedAnswer(said, asked)
    if (answer === null) io.note(`“${printableLine(said.trim())}” is no answer here.`)
    else if (answer.outcome !== 'edit') return answer
    else {
      const edited = await edit(io, asked, signal)
      if (edited !== null || signal.aborted) return edited
    }
  }
}

/** A line with the command to change; null leads back to the question. */
async function edit(io: Io, asked: ElicitationRequest & Asked, signal: AbortSignal) {
  const { action } = askWords(asked, '', false)
  const said = await question(`${editLabel(action)}: `, signal, asked.command)
  if (said === null) return null
  const answer = editedAnswer(said, asked)
  if (answer === null) io.note('Nothing was changed.')
  return answer
}

/** A text may be the answer to a program's question for a password: the person at this terminal knows. */
export function aboutSecrets(
  io: Io,
  { notSecret = false }: { notSecret?: boolean },
): Pick<Submission, 'notSecret' | 'isNotSecret'> {
  if (notSecret) return { notSecret }
  if (!isInteractive(io)) return {}
  return {
    async isNotSecret(asked) {
      io.note(`“${printableLine(asked)}” in the terminal looks like a question for a password.`)
      const said = await question('Send this to the session, and so to the model? [y/N] ')
      return said !== null && /^y(es)?$/i.test(said.trim())
    },
  }
}
