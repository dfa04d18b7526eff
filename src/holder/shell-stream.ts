import { performance } from 'node:perf_hooks'
import type { HeldMark } from '../protocol/holder.ts'
import { frameKind, movingMarks } from '../protocol/holder-wire.ts'
import type { QueryAnswerer } from './answer-queries.ts'
import { encodeMark } from './encode-mark.ts'
import type { Injector } from './injection.ts'
import { createKeptMarks, type KeptMarks } from './kept-marks.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import type { PartialLine } from './partial-line.ts'
import type { SessionLog } from './session-log.ts'

export interface ShellStreamDeps {
  log: SessionLog
  link(): Link
  keys(): Keys
  injector(): Injector
  partial(): PartialLine
  queries(): QueryAnswerer
  /** The session's own shell has read its start file. */
  onStarted(): void
}

/** The clean stream and its marks, on their way to the byte log and to the server. */
export interface ShellStream {
  text(bytes: Buffer): void
  mark(kind: HeldMark['kind'], fields: string[], level: number): void
  /** The last mark after which a command may run elsewhere, and where the shell was then. */
  place(): { stamp: number; cwd: string }
  /** Something runs. */
  isBusy(): boolean
  marks: Pick<KeptMarks, 'all' | 'acknowledge'>
}

/** So long a line editor still writes after its prompt. */
const drawMs = 1
/** A line editor writes this before its prompt, and so before the mark of that. */
const pasteOn = Buffer.from('\x1b[?2004h')

export function createShellStream(deps: ShellStreamDeps): ShellStream {
  const { log, link, keys, injector, partial, queries } = deps
  const marks = createKeptMarks()
  let lastSeq = 0
  let place = { stamp: 0, cwd: '' }
  let promptedAt = Number.NEGATIVE_INFINITY
  let isBusy = false
  let lastText: Buffer = Buffer.alloc(0)

  function text(bytes: Buffer): void {
    // A command's line being drawn and a prompt being finished are no news; a wake-up would cost more.
    const isDrawing = injector().isEntering() || performance.now() - promptedAt < drawMs
    link().data({ offset: log.head(), bytes, when: isDrawing ? 'soon' : 'now' })
    log.append(bytes)
    lastText = bytes
    partial().onText(bytes)
    injector().onText(bytes)
    queries().feed(bytes, log.head())
  }

  function mark(kind: HeldMark['kind'], fields: string[], level: number): void {
    const entering = injector()
    lastSeq += 1
    if (movingMarks.has(kind)) move(kind, fields)
    partial().onMark(kind)
    const offset = log.head() - promptLead(kind, lastText)
    const held = { seq: lastSeq, kind, level, fields, offset, time: performance.now() }
    const isPrompt = kind === 'B' && !entering.isEntering()
    if (isPrompt) promptedAt = held.time
    // The end of a line or the prompt ends a run and must be heard at once; what leads to it may come along.
    const isNews = isPrompt || kind === 'D'
    // First, for the shell waits for its next key.
    entering.onMark(kind, fields)
    keys().follow(injector().keysMode())
    marks.add(held)
    if (isNews) link().send(frameKind.mark, encodeMark(held))
    else link().sendLazily(frameKind.mark, encodeMark(held))
    if (kind === 'H' && level === 0) deps.onStarted()
    follow(kind)
  }

  function move(kind: HeldMark['kind'], fields: readonly string[]): void {
    const cwd = kind === 'D' ? fields.slice(3).join(';') : place.cwd
    // Another shell is somewhere else.
    place = { stamp: lastSeq, cwd: kind === 'H' || kind === 'L' ? '' : cwd }
  }

  function follow(kind: HeldMark['kind']): void {
    if (kind === 'C') {
      isBusy = true
      log.runBegan()
    }
    // With another shell inside, the run that started it is no longer one that prints.
    if (kind === 'B' || kind === 'H') {
      isBusy = false
      log.runEnded()
    }
  }

  return { text, mark, place: () => place, isBusy: () => isBusy, marks }
}

/** How much of a prompt stands before its mark: it is no output of what ran before. */
function promptLead(kind: HeldMark['kind'], text: Buffer): number {
  const isLed = kind === 'A' && text.subarray(-pasteOn.length).equals(pasteOn)
  return isLed ? pasteOn.length : 0
}
