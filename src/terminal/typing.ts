import { isComment } from '../protocol/is-comment.ts'
import { type Step, stay } from './effect.ts'
import type { Mark, Place, TypedText } from './mark.ts'

/** The commands that a person runs by typing them, told apart from those that were brought into the line. */
export interface Typing {
  readonly open: OpenTyped | null
  /** The line that runs, or is about to, was brought in. */
  readonly isInjected: boolean
  /** The number that the next line will have in the history. */
  readonly nextLine: number | null
  /** An earlier server may have recorded one whose end no mark tells any more. */
  readonly isUnsure: boolean
}

export interface OpenTyped {
  readonly command: string
  readonly from: Place
  readonly to: (Mark & { kind: 'output-end' }) | null
  /** Where a shell that runs in it was adopted: what follows is not its own. */
  readonly adoptedAt: number | null
}

export const nothingTyped: Typing = {
  open: null,
  isInjected: false,
  nextLine: null,
  isUnsure: false,
}

export function typingHears(typing: Typing, mark: Mark, shellPid: number): Step<Typing> {
  switch (mark.kind) {
    case 'loaded':
      return stay({ ...typing, isInjected: true })
    case 'output-start':
      return start(typing, mark)
    case 'integrated':
      return stay(adopted(typing, mark.offset))
    case 'output-end':
      return mark.pid === shellPid ? stay(endOutput(typing, mark)) : stay(typing)
    case 'prompt':
      return mark.pid === shellPid ? atPrompt(typing, mark) : stay(typing)
    case 'prompt-start':
    case 'continuation':
    case 'left':
      return stay(typing)
    default:
      return mark satisfies never
  }
}

function start(typing: Typing, mark: Mark & { kind: 'output-start' }): Step<Typing> {
  if (typing.open !== null || typing.isInjected || mark.typed === null) return stay(typing)
  const command = commandOf(mark.typed, typing.nextLine)
  // fish executes comments, too.
  if (command !== '' && isComment(command)) return stay(typing)
  const open = { command, from: mark, to: null, adoptedAt: null }
  const told = { type: 'typed-started', command, ptyFrom: mark.offset } as const
  return { state: { ...typing, open }, effects: [{ type: 'tell', told }] }
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

function adopted(typing: Typing, at: number): Typing {
  const { open } = typing
  return open === null ? typing : { ...typing, open: { ...open, adoptedAt: open.adoptedAt ?? at } }
}

function endOutput(typing: Typing, mark: Mark & { kind: 'output-end' }): Typing {
  const { open } = typing
  return { ...typing, isInjected: false, open: open && { ...open, to: mark } }
}

function atPrompt(typing: Typing, mark: Mark & { kind: 'prompt' }): Step<Typing> {
  const { open, isUnsure } = typing
  const state = { ...typing, open: null, nextLine: mark.line, isUnsure: false }
  const over = { type: 'tell', told: { type: 'typed-over' } } as const
  if (open === null) return { state, effects: isUnsure ? [over] : [] }
  const { command, from, to, adoptedAt } = open
  const end = to ?? mark
  const ptyTo = adoptedAt ?? end.offset
  const told = {
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
  return { state, effects: isUnsure ? [{ type: 'tell', told }, over] : [{ type: 'tell', told }] }
}
