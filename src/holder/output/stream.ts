import { performance } from 'node:perf_hooks'
import type { HeldMark } from '../../protocol/holder/holder.ts'
import { movingMarks } from '../../protocol/holder/frames.ts'
import type { Current } from '../current.ts'
import { isEntering, isStale, named } from '../inject/select.ts'
import type { Place } from '../inject/state.ts'
import { createLeftModes } from '../modes/left-modes.ts'
import { createPartialLine } from './follow-text.ts'
import type { Output } from './open-output.ts'
import { isMarkKind, maskNonces, type Owner, type ScanSink } from './scan-marks.ts'
import { skipLead } from './skip-lead.ts'

interface StreamOptions extends Omit<Output, 'pty' | 'stream'> {
  /** The terminal's input. */
  input: { push: (bytes: Buffer) => void }
  /** The own shell draws its prompt behind an unfinished line. */
  joinsLines: boolean
  /** The session's own shell has read its start file. */
  onStarted: () => void
}

/** The clean stream and its marks, on their way to the byte log, to the injector and to the server. */
export interface Stream {
  /** Takes text and marks as the scanner finds them. */
  sink: ScanSink
  text: (bytes: Buffer) => void
  mark: (kind: string, fields: string[], owner: Owner) => void
  /** A shell was left, which only the holder says. */
  left: (level: number) => void
  /** Keys of ours. */
  press: (bytes: Buffer) => void
  /** The last mark after which a command may run elsewhere, and the folder of the shell then. */
  place: () => Place
  /** Something runs. */
  isBusy: () => boolean
}

type Kind = HeldMark['kind']

/** So long a line editor still writes after its prompt. */
const drawMs = 1
/** A line editor writes this before its prompt, and so before the mark of that. */
const pasteOn = Buffer.from('\x1b[?2004h')
const newLine = Buffer.from('\r\n')

export function createStream(options: StreamOptions): Stream {
  const { current, log, outbox, queries, input, joinsLines } = options
  const partial = joinsLines ? createPartialLine() : null
  const modes = createLeftModes(() => current.size.rows)
  let lastSeq = 0
  let place: Place = { stamp: 0, cwd: '' }
  let promptedAt = Number.NEGATIVE_INFINITY
  let isBusy = false
  let lastText: Buffer = Buffer.alloc(0)

  function text(bytes: Buffer): void {
    if (current.adopter?.takesText(bytes) === true) return
    // A command's line being drawn and a prompt being finished are no news; a wake-up would cost more.
    const { injector } = current
    const isDrawing = isEntering(injector.state) || performance.now() - promptedAt < drawMs
    outbox.data({ offset: log.bytes.head(), bytes, when: isDrawing ? 'soon' : 'now' })
    log.bytes.append(bytes)
    lastText = bytes
    partial?.onText(bytes)
    modes.feed(bytes)
    if (isEntering(injector.state)) injector.hear({ type: 'text', bytes })
    queries.feed(bytes, log.bytes.head())
  }

  function mark(kind: string, fields: string[], owner: Owner): void {
    if (owner === 0) followPrompt(current, kind, fields)
    if (isTaken(current, { kind, fields, owner }) || typeof owner !== 'number' || !isMarkKind(kind))
      return
    current.nested?.spoke(owner)
    const { injector } = current
    if (!isStale(injector.state, kind, fields))
      return pass(kind, named(injector.state, kind, fields), owner)
    injector.hear({ type: 'mark', kind, fields, place, now: performance.now() })
    current.waitingKeys?.follow()
  }

  function pass(kind: Kind, fields: string[], level: number): void {
    const { injector } = current
    const now = performance.now()
    lastSeq += 1
    if (movingMarks.has(kind)) place = { stamp: lastSeq, cwd: cwdAfter(kind, fields, place.cwd) }
    partial?.onMark(kind)
    const offset = log.bytes.head() - promptLead(kind, lastText)
    const held = { seq: lastSeq, kind, level, fields, offset, time: now }
    const isPrompt = kind === 'B' && !isEntering(injector.state)
    if (isPrompt) promptedAt = now
    // First, for the shell waits for its next key.
    injector.hear({ type: 'mark', kind, fields, place, now })
    current.waitingKeys?.follow()
    // The end of a line or the prompt ends a run and must be heard at once; the marks that lead to it may come along.
    outbox.mark(held, isPrompt || kind === 'D' ? 'now' : 'soon')
    if (kind === 'H' && level === 0) options.onStarted()
    follow(kind)
    const undo = modes.follow(kind, level)
    if (undo !== '') text(Buffer.from(undo))
  }

  function follow(kind: Kind): void {
    // With another shell inside, the run that started it is no longer one that prints.
    const isOver = kind === 'B' || kind === 'H'
    if (isOver) log.bytes.runEnded()
    if (kind === 'C') log.bytes.runBegan()
    isBusy = kind === 'C' || (isBusy && !isOver)
    if (kind === 'B') current.firstState?.onPrompt()
  }

  return {
    sink: createSink(options, { text, mark }),
    text,
    mark,
    left: (level) => pass('L', [], level),
    press(bytes) {
      if (current.levels.length === 1 && partial?.take() === true) text(newLine)
      input.push(bytes)
    },
    place: () => place,
    isBusy: () => isBusy,
  }
}

/** How much of a prompt stands before its mark: it is no output of what ran before. */
function promptLead(kind: Kind, text: Buffer): number {
  const isLed = kind === 'A' && text.subarray(-pasteOn.length).equals(pasteOn)
  return isLed ? pasteOn.length : 0
}

function cwdAfter(kind: Kind, fields: readonly string[], before: string): string {
  // Another shell is somewhere else.
  if (kind === 'H' || kind === 'L') return ''
  return kind === 'D' ? fields.slice(3).join(';') : before
}

interface Said {
  kind: string
  fields: string[]
  owner: Owner
}

function isTaken({ adopter, levels }: Current, { kind, fields, owner }: Said): boolean {
  if (adopter !== null) return adopter.takesMark(kind, fields, owner)
  // Only a shell that is being adopted says who it is.
  return typeof owner === 'number' && owner > 0 && (kind === 'H' || owner >= levels.length)
}

/** Remembers whether the own shell is at a prompt. */
function followPrompt(current: Current, kind: string, fields: readonly string[]): void {
  if (kind === 'N' || kind === 'S') current.pulls[kind]?.onAnswer()
  if (kind === 'B') current.promptPid = Number(fields[1])
  if (kind !== 'C' && kind !== 'D') return
  current.promptPid = null
  current.typed = 'nothing'
}

/** Hides nonces in text; lets the mark of a shell that titles its commands wait for the title. */
function createSink(
  { current, nonces }: StreamOptions,
  { text, mark }: Pick<Stream, 'text' | 'mark'>,
): ScanSink {
  const masked = maskNonces(nonces)
  const direct = { text: (bytes: Buffer) => text(masked(bytes)), mark }
  const titles = (owner: Owner) =>
    typeof owner === 'number' && current.levels[owner]?.titles === true
  const led = skipLead(direct, titles)
  return {
    text: (bytes) => (led.isHolding ? led.text(bytes) : direct.text(bytes)),
    mark(kind, fields, owner) {
      const isLed = led.isHolding || (kind === 'C' && titles(owner))
      return isLed ? led.mark(kind, fields, owner) : mark(kind, fields, owner)
    },
    end: led.end,
  }
}
