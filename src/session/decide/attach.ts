import { assertNever } from '../../base/assert-never.ts'
import type { FileRead } from '../../protocol/events/call.ts'
import type { RunRequest } from '../../protocol/events/run.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import type { SessionState } from '../../log/state.ts'
import type { Append } from '../append.ts'
import { openAsk } from '../asks.ts'
import type { Catalogue } from '../catalogue.ts'
import { openCommand } from '../commands/command.ts'
import { visitProse } from '../../base/code-in-text.ts'

/** A part of a prompt: its turn waits until every part has been read, run or refused. */
export type Attachment =
  | { kind: 'file'; read: FileRead; ask: string | null }
  | { kind: 'skill'; name: string; text: string }
  /** A command of a command file, whose output the prompt speaks of. */
  | { kind: 'command'; command: string }

/** The files that a text mentions: each once, as it is named first. */
export function mentioned(text: string, { mentions }: Catalogue): readonly Attachment[] {
  const files = new Map<string, Attachment>()
  for (const readings of findMentions(text)) {
    const [first] = readings.flatMap(({ path, lines }) => {
      const target = mentions.get(path)
      if (target === undefined) return []
      const { file, kind, ask } = target
      const read = { path, file, kind, lines: kind === 'file' ? lines : null }
      return [{ kind: 'file' as const, read, ask }]
    })
    const key = JSON.stringify([first?.read.file, first?.read.lines])
    if (first && !files.has(key)) files.set(key, first)
  }
  return [...files.values()]
}

export function attach(append: Append, prompt: Seq, attachment: Attachment): void {
  switch (attachment.kind) {
    case 'file':
      return attachFile(append, prompt, attachment)
    case 'skill': {
      const { name: skill, text } = attachment
      openCommand(append, { name: 'activate_skill', text }, { skill, prompt })
      return
    }
    case 'command':
      return attachRun(append, prompt, attachment.command)
    default:
      assertNever(attachment)
  }
}

function attachFile(
  append: Append,
  prompt: Seq,
  { read, ask }: Attachment & { kind: 'file' },
): void {
  const request = openCommand(append, { name: 'read_file', text: read.path }, { read, prompt })
  if (ask !== null) question(append, { request, command: `read ${read.file}`, reasons: [ask] })
}

/** A command that stands in a file was not typed by anybody here: it is judged like the model’s before it runs. */
function attachRun(append: Append, prompt: Seq, command: string): void {
  const { workspace, limits } = append.state
  const run: RunRequest = {
    command,
    lane: 'background',
    source: 'slash',
    cwd: workspace,
    timeoutMs: limits.oneShotMs,
    private: false,
    thenTurn: false,
  }
  openCommand(append, { name: 'shell', text: command }, { run, prompt })
}

function question(
  append: Append,
  asked: { request: Seq; command: string; reasons: readonly string[] },
): void {
  openAsk(append, { ...asked, kind: 'approval', cwd: append.state.workspace })
}

/** The attachments of a waiting prompt that are not in its words: its skill, the commands of its file. */
export function belongings({ attached, calls }: SessionState, prompt: Seq): readonly Attachment[] {
  const requests = [
    ...attached,
    ...calls.map(({ request }) => ({ prompt: request.prompt, request })),
  ]
  return requests.flatMap(({ request, ...of }): Attachment[] => {
    if (of.prompt !== prompt || request === null) return []
    const { skill: name, run, args: text } = request
    if (name !== undefined) return [{ kind: 'skill', name, text }]
    return run === undefined ? [] : [{ kind: 'command', command: run.command }]
  })
}

/**
 * An `@path` in a prompt, as it was typed but for the `@`, quotes and line numbers; whether it names
 * anything is for the edge to say.
 */
type Mention = Pick<FileRead, 'path' | 'lines'>

/** More places than these are a pasted mail or program, not a list of files. */
const mostPlaces = 200
const mostLooks = 10 * mostPlaces

/** The longest path on any system that we know. */
const longestPath = 4_096

/** `@a.ts’s`, `(@a.ts),`, `@a.ts:10:5`: a path may end before any of these, or go on. */
const mayEnd = /[.,;:!?()[\]{}<>'"`’”»…—。，、；：！？（）「」]/

/** A sentence adds little to a path, and each reading costs a look at the disk. */
const mostReadings = 8

/**
 * Every place of a text that may name a file, in order, outside code fences and inline code. Each
 * offers readings, the longest first: the first that names something counts. `\@` is never one.
 */
export function findMentions(text: string): readonly (readonly Mention[])[] {
  const places = new Map<string, readonly Mention[]>()
  let looks = 0
  visitProse(text, { sign: '@' }, (at) => {
    if (isInWord(text, at)) return at + 1
    const { readings, end } = candidateAt(text, at)
    const key = JSON.stringify(readings[0])
    if (readings.length > 0 && !places.has(key)) places.set(key, readings)
    looks++
    return places.size < mostPlaces && looks < mostLooks ? end : text.length
  })
  return [...places.values()]
}

/** An e-mail address, or an escape. Some scripts have no blanks between words. */
function isInWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? ''
  return /[\p{L}\p{N}\p{M}_.%+\-@/\\]/u.test(before) && !/[\u3040-\u30ff\u3400-\u9fff]/.test(before)
}

const quotedPath = /@"([^"\n]{1,4096})"(?::(\d{1,9})(?:-(\d{1,9}))?)?/y

/** The search goes on from `end`. */
function candidateAt(text: string, at: number): { readings: readonly Mention[]; end: number } {
  quotedPath.lastIndex = at
  const quoted = quotedPath.exec(text)
  const path = quoted?.[1]
  if (quoted && path !== undefined) {
    const lines = linesOf(quoted[2], quoted[3])
    const readings = lines === null ? withLines(path) : [{ path, lines }]
    return { readings, end: quotedPath.lastIndex }
  }
  // Another mention may follow: `@a.ts,@b.ts`.
  return { readings: bareReadings(text, at + 1), end: at + 1 }
}

function bareReadings(text: string, start: number): readonly Mention[] {
  const window = text.slice(start, start + longestPath + 1)
  const blank = window.search(/\s/)
  const end = blank === -1 ? window.length : blank
  if (end === 0 || end > longestPath || window.startsWith('"')) return []
  const word = window.slice(0, end)
  const texts = [word]
  for (let at = end - 1; at > 0 && texts.length < mostReadings; at--)
    if (mayEnd.test(word[at] ?? '')) texts.push(word.slice(0, at))
  return texts.flatMap(withLines)
}

/** A file may have a colon and digits in its name, so that is tried first. */
function withLines(text: string): readonly Mention[] {
  const match = /:(\d{1,9})(?:-(\d{1,9}))?$/.exec(text)
  const lines = match && match.index > 0 ? linesOf(match[1], match[2]) : null
  const whole = { path: text, lines: null }
  return match && lines ? [whole, { path: text.slice(0, match.index), lines }] : [whole]
}

/** Lines in the wrong order are still those lines. */
function linesOf(first: string | undefined, last: string | undefined): Mention['lines'] {
  if (first === undefined) return null
  const ends = [Number(first), Number(last ?? first)]
  const to = Math.max(...ends)
  return to === 0 ? null : { from: Math.max(1, Math.min(...ends)), to }
}
