import { askAnswer, askedAgain, gradeWords, shownGrade } from '../../view/words/ask.ts'
import { noticeWords, type Said } from '../../view/words/notice.ts'
import { assertNever } from '../../base/assert-never.ts'
import type { Ask, CallEntry, Entry, Notice, ReplyEntry, RunEntry } from '../../view/fold/entry.ts'
import { collapse } from '../../view/text/collapse.ts'
import {
  runLabel,
  runTitle,
  shownOutput,
  callAnswer,
  callLabel,
  callTitle,
} from '../../view/words/run.ts'
import { shownThoughts } from '../../view/words/clock.ts'
import { thoughtWords } from '../../protocol/events/message.ts'
import { replyText } from '../../view/rows/segments.ts'
import { printable, printableLine } from '../../view/text/hidden-characters.ts'

/** An entry of the chat list as lines for a terminal; empty when there is nothing to tell. */
export function entryText(entry: Entry): string {
  switch (entry.kind) {
    case 'prompt':
      return `${marked('> ', printable(entry.text))}${entry.state === 'sent' ? '' : ` (${entry.state})`}`
    case 'reply':
      return lines(thoughtText(entry), printable(replyText(entry)))
    case 'run':
      return runText(entry)
    case 'call':
      return callText(entry)
    case 'ask':
      return askText(entry.ask)
    case 'notice':
      return noticeText(entry.notice)
    default:
      return assertNever(entry)
  }
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

/** Their words are in the page and in exports. */
function thoughtText(entry: ReplyEntry): string {
  const thoughts = shownThoughts(entry)
  if (thoughts === null) return ''
  return thoughts.isThinking ? '[thinking…]' : `[${thoughtWords(thoughts.ms)}]`
}

function marked(mark: string, text: string): string {
  const indent = ' '.repeat(mark.length)
  return mark + text.replaceAll('\n', `\n${indent}`)
}

function runText(entry: RunEntry): string {
  const isPrivate = entry.private ? ' (private)' : ''
  const { repo, folder } = runTitle(entry)
  const where = folder === '' ? '' : `  ${printableLine(folder)}`
  const head = `$ ${printableLine(entry.command)}${repo}  ${runLabel(entry)}${isPrivate}${where}`
  return lines(head, body(shownOutput(entry)), openAsk(entry))
}

function body(text: string): string {
  const { shown, hiddenLines } = collapse(text)
  const rest = hiddenLines > 0 ? `… ${hiddenLines} more lines` : ''
  const all = lines(printable(shown), rest)
  return all === '' ? '' : marked('  ', all)
}

function callText(entry: CallEntry): string {
  const head = `${printableLine(callTitle(entry))}  ${callLabel(entry)}`
  return lines(head, body(callAnswer(entry)), openAsk(entry))
}

function openAsk({ ask, answer, kind }: RunEntry | CallEntry): string {
  const isOpen = ask?.state.phase === 'open' || (isVoid(ask) && answer === null)
  return ask && isOpen ? marked('  ', askText(ask, { isRead: kind === 'call' })) : ''
}

function isVoid(ask: Ask | null): boolean {
  return ask?.state.phase === 'answered' && ask.state.outcome === 'void' && ask.state.moved === true
}

/** The name of this client in events. */
const here = 'cli'

function askText(ask: Ask, { isRead = false } = {}): string {
  const answer = askAnswer(ask, here)
  if (answer !== null) return `${printableLine(ask.command)}: ${printableLine(answer)}`
  const grade = shownGrade(ask, { isRead })
  return lines(
    `waits for an answer to run: ${printableLine(ask.command)}`,
    ask.isAgain ? `- asked again: ${askedAgain}` : '',
    grade ? `- effect: ${gradeWords[grade]}` : '',
    ...ask.reasons.map((reason) => `- ${printableLine(reason)}`),
    `answer with: tandem answer ${ask.id} allow`,
  )
}

function noticeText(notice: Notice): string {
  const text = noticeWords(notice).map(wordsOf).join('')
  if (text === '') return ''
  return `${notice.type === 'fault' ? '!' : '—'} ${text}`
}

function wordsOf(said: Said): string {
  if (typeof said === 'string') return printableLine(said)
  if ('offer' in said) return said.text === said.offer ? said.text : `${said.text} (${said.offer})`
  return 'code' in said ? printableLine(said.code) : `${said.text} (${said.session})`
}
