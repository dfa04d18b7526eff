import { ok, refused, type Result } from '../../base/result.ts'
import { utf8Bytes } from '../../base/text.ts'
import type { TerminalAct, TerminalInput } from '../../protocol/events/call.ts'
import { headCall, terminalRun } from '../../log/open.ts'
import type { OpenCall, SessionState } from '../../log/state.ts'
import { answerCall, type Append } from '../append.ts'
import { openAsk } from '../asks.ts'
import type { Catalogue } from '../catalogue.ts'
import { describeAct, isHarmless, isInput } from './terminal-act.ts'

/** Readies a model's act: it needs a program, and a person's yes unless it is harmless. */
export function prepareAct(append: Append, catalogue: Catalogue): void {
  for (let call = headCall(append.state); call; call = headCall(append.state)) {
    const { act } = call.request
    if (act === undefined || call.at.phase !== 'unjudged' || append.state.turn === null) return
    const why = impossible(append.state, act, catalogue)
    if (why !== null) answerCall(append, call, { status: 'error', line: why })
    else if (isHarmless(act)) return
    else askForInput(append, call, describeAct(act))
  }
}

function impossible(state: SessionState, act: TerminalAct, { noInput }: Catalogue): string | null {
  const run = terminalRun(state)
  if (isInput(act) && !run) return 'not sent: nothing is running'
  if (isInput(act) && run?.private) return 'not sent: the user is running a private command'
  if (isInput(act)) return unsendable(act, noInput)
  if (state.shell.phase !== 'live') return 'there is no terminal yet: run a command first'
  if (act.type !== 'read') return null
  if (state.private) return 'not read: the user works in private'
  return run?.private === true ? 'not read: the user is running a private command' : null
}

/** Nobody is asked for what could not be sent after a yes; Ctrl+C always can. */
function unsendable(act: TerminalInput, noInput: string | null): string | null {
  if (act.type === 'interrupt') return null
  const text = inputText(act)
  const why = text.ok ? noInput : text.error
  return why === null ? null : `not sent: ${why}`
}

function askForInput(append: Append, call: OpenCall, text: string): void {
  const run = terminalRun(append.state)
  openAsk(append, {
    kind: 'terminal_input',
    request: call.request.seq,
    command: text,
    reasons: [`it is typed into the running program: ${run?.command ?? ''}`],
    cwd: append.state.shell.cwd,
  })
}

/** The bytes that each named key sends in a terminal's ordinary mode. */
const keys: Readonly<Record<string, string>> = {
  Enter: '\r',
  Tab: '\t',
  Escape: '\x1b',
  Space: ' ',
  Backspace: '\x7f',
  Delete: '\x1b[3~',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Right: '\x1b[C',
  Left: '\x1b[D',
  Home: '\x1b[H',
  End: '\x1b[F',
  PageUp: '\x1b[5~',
  PageDown: '\x1b[6~',
}

/** A terminal that reads by the line keeps this much of one and drops the rest without a word. */
const maxLineBytes = 4_095

/** The bytes that a terminal would send for a model's input; the error says what is wrong with it. */
export function inputText(
  input: Exclude<TerminalInput, { type: 'interrupt' }>,
): Result<string, string> {
  if (input.type === 'text') return typedText(input.text)
  const unknown = input.names.find((name) => keyOf(name) === null)
  if (unknown !== undefined)
    return refused(
      `there is no key ${unknown}; there are ${Object.keys(keys).join(', ')}, Ctrl+A …`,
    )
  return ok(input.names.map((name) => keyOf(name) ?? '').join(''))
}

/** Text as somebody would type it, and Enter. */
function typedText(text: string): Result<string, string> {
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text))
    return refused('it has control characters; name the keys instead')
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.some((line) => utf8Bytes(line) > maxLineBytes))
    return refused(`a line can have at most ${maxLineBytes} bytes`)
  return ok(`${lines.join('\r')}\r`)
}

function keyOf(name: string): string | null {
  const control = /^Ctrl\+([A-Z])$/.exec(name)?.[1]
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 64)
  return Object.hasOwn(keys, name) ? (keys[name] ?? null) : null
}
