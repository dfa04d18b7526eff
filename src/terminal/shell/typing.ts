import { isComment } from '../../base/text.ts'
import type { Mark, Position, TypedText } from '../incoming.ts'
import type { Shell } from '../state.ts'
import { act, type Step, stay } from '../shells.ts'

/** The commands that a person runs by typing them, told apart from those that were brought into the line. */
export interface Typing {
  readonly open: OpenTyped | null
  /** An earlier server may have recorded one whose end no mark tells any more. */
  readonly isUnsure: boolean
}

export interface OpenTyped {
  readonly command: string
  readonly from: Position
  readonly to: (Mark & { kind: 'output-end' }) | null
  /** The offset at which a shell that runs in it was adopted: what follows is not its own. */
  readonly adoptedAt: number | null
}

export function typingHears(shell: Shell, mark: Mark): Step<Shell> {
  switch (mark.kind) {
    case 'output-start':
      return start(shell, mark)
    case 'integrated':
      return stay(changeOpen(shell, (open) => ({ adoptedAt: open.adoptedAt ?? mark.offset })))
    case 'output-end':
      return stay(mark.pid === shell.pid ? changeOpen(shell, () => ({ to: mark })) : shell)
    case 'prompt':
      return mark.pid === shell.pid ? atPrompt(shell, mark) : stay(shell)
    case 'loaded':
    case 'prompt-start':
    case 'continuation':
    case 'left':
      return stay(shell)
    default:
      return mark satisfies never
  }
}

function changeOpen(shell: Shell, change: (open: OpenTyped) => Partial<OpenTyped>): Shell {
  const { open } = shell.typing
  if (open === null) return shell
  return { ...shell, typing: { ...shell.typing, open: { ...open, ...change(open) } } }
}

function start(shell: Shell, mark: Mark & { kind: 'output-start' }): Step<Shell> {
  const { typing, isInjected, nextLine } = shell
  if (typing.open !== null || isInjected || mark.typed === null) return stay(shell)
  const command = commandOf(mark.typed, nextLine)
  // fish executes comments, too.
  if (command !== '' && isComment(command)) return stay(shell)
  const open = { command, from: mark, to: null, adoptedAt: null }
  return reportTyped({ ...shell, typing: { ...typing, open } })
}

/** A session hears of a typed command only while no other run has the terminal: it is told again when that is over. */
export function reportTyped(shell: Shell): Step<Shell> {
  const { open } = shell.typing
  if (open === null) return stay(shell)
  const { command, from } = open
  const report = { type: 'typed-started', command, ptyFrom: from.offset } as const
  return act(shell, { type: 'report', report })
}

/** bash names the newest line of its history, which need not be this one: some are left out of it. */
function commandOf({ text, length, line, isShown }: TypedText, nextLine: number | null): string {
  const isNew = line === null || nextLine === null || line !== nextLine
  if (!isNew && !isShown) return ''
  const missing = length - text.length
  return missing > 0 && text.length >= cutChars ? `${text}… (${missing} more)` : text
}

/** The integrations tell this much of a long line. */
const cutChars = 2000

function atPrompt(shell: Shell, mark: Mark & { kind: 'prompt' }): Step<Shell> {
  const { open, isUnsure } = shell.typing
  const next: Shell = { ...shell, typing: { open: null, isUnsure: false } }
  const over = isUnsure ? [{ type: 'report', report: { type: 'typed-over' } } as const] : []
  if (open === null) return act(next, ...over)
  const { command, from, to, adoptedAt } = open
  const end = to ?? mark
  const ptyTo = adoptedAt ?? end.offset
  const report = {
    type: 'typed-ended',
    command,
    ptyFrom: from.offset,
    ptyTo,
    bytes: ptyTo - from.offset,
    durationMs: Math.max(0, Math.round(end.time - from.time)),
    exitCode: to?.code ?? mark.code,
    cwdAfter: to?.cwd ?? null,
    seq: end.seq,
    level: mark.level,
  } as const
  return act(next, { type: 'report', report }, ...over)
}
