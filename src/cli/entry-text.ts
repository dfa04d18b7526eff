import { assertNever } from '../protocol/assert-never.ts'
import type { Ask, CallEntry, Entry, Notice, RunEntry } from '../view/entry.ts'
import { callAnswer, callLabel, callTitle, collapse, runLabel } from '../view/label.ts'
import { printable, printableLine } from './printable.ts'

/** An entry of the chat list as lines for a terminal; empty when there is nothing to tell. */
export function entryText(entry: Entry): string {
  switch (entry.kind) {
    case 'prompt':
      return `${marked('> ', printable(entry.text))}${entry.state === 'sent' ? '' : ` (${entry.state})`}`
    case 'reply':
      return printable(entry.reply.phase === 'open' ? entry.reply.live.text : entry.reply.text)
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

function marked(mark: string, text: string): string {
  const indent = ' '.repeat(mark.length)
  return mark + text.replaceAll('\n', `\n${indent}`)
}

function runText(entry: RunEntry): string {
  const isPrivate = entry.private ? ' (private)' : ''
  const repo = entry.repo === null ? '' : `[${entry.repo}] `
  const head = `$ ${printableLine(entry.command)}  ${repo}${runLabel(entry)}${isPrivate}`
  const { shown, hiddenLines } = collapse(outputOf(entry))
  const rest = hiddenLines > 0 ? `… ${hiddenLines} more lines` : ''
  const body = lines(printable(shown), rest)
  return lines(head, body === '' ? '' : marked('  ', body), openAsk(entry))
}

function callText(entry: CallEntry): string {
  const { shown, hiddenLines } = collapse(callAnswer(entry))
  const rest = hiddenLines > 0 ? `… ${hiddenLines} more lines` : ''
  const body = lines(printable(shown), rest)
  return lines(
    `${printableLine(callTitle(entry))}  ${callLabel(entry)}`,
    body === '' ? '' : marked('  ', body),
    openAsk(entry),
  )
}

/** The record without its header and status line, which the label says better. */
function outputOf({ state, answer }: RunEntry): string {
  if (state.phase === 'running') return state.live.text
  const content = answer?.content ?? ''
  const isWhole = content.startsWith('$ ')
  return isWhole ? content.split('\n').slice(1, -1).join('\n') : content
}

function openAsk({ ask, answer }: RunEntry | CallEntry): string {
  const isOpen = ask?.state.phase === 'open' || (ask?.state.moved && answer === null)
  return ask && isOpen ? marked('  ', askText(ask)) : ''
}

function askText(ask: Ask): string {
  const { state } = ask
  const why = ask.reasons.map((reason) => `- ${printableLine(reason)}`)
  if (state.phase === 'answered' && state.moved)
    return `${printableLine(ask.command)}: the shell has changed since it was judged, so it is asked again`
  if (state.phase === 'answered')
    return `${printableLine(ask.command)}: ${state.outcome} by ${state.by.name ?? state.by.kind}`
  return lines(
    `waits for an answer to run: ${printableLine(ask.command)}`,
    ask.isAgain ? '- asked again: the shell has changed since it was judged' : '',
    ...why,
    `answer with: tandem answer ${ask.id} allow`,
  )
}

function noticeText(notice: Notice): string {
  switch (notice.type) {
    case 'shell_started':
      if (notice.notice !== undefined) return `— ${printableLine(notice.notice)}`
      return notice.generation === 1 ? '' : `— a new shell started in ${printableLine(notice.cwd)}`
    case 'shell_taken':
      return `— the terminal of session ${notice.from} goes on here, in ${printableLine(notice.cwd)}`
    case 'shell_ended':
      return notice.movedTo === null
        ? `— the shell ended (${notice.reason})`
        : `— the terminal goes on in session ${notice.movedTo}`
    case 'shell_adopted':
      return `— commands run in ${notice.shell} of ${printableLine(notice.place)} now, in ${printableLine(notice.cwd)}`
    case 'shell_left':
      return `— the adopted shell has ended; commands run in ${printableLine(notice.cwd)} again`
    case 'model':
      return `— the model is ${printableLine(notice.model)}`
    case 'approval':
      return `— approval is now ${notice.mode}`
    case 'private':
      return `— private mode is ${notice.on ? 'on' : 'off'}`
    case 'continued':
      return `— it goes on in session ${notice.session}`
    case 'facts':
      return ''
    case 'turn_ended':
      return `— the turn ended: ${notice.reason} after ${notice.steps} steps`
    case 'fault':
      return `! ${printableLine(notice.message)}`
    default:
      return assertNever(notice)
  }
}
