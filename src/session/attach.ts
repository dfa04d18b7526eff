import { assertNever } from '../protocol/assert-never.ts'
import type { FileRead } from '../protocol/call.ts'
import type { RunRequest } from '../protocol/run.ts'
import type { Seq } from '../protocol/seq.ts'
import { openCall } from '../log/open.ts'
import type { SessionState } from '../log/state.ts'
import { answerCall, voidAsk } from './answer-call.ts'
import { type Append, system } from './append.ts'
import type { Catalogue, MentionedFile } from './catalogue.ts'
import { openCommand } from './commands/command.ts'
import { findMentions } from './mentions.ts'
import { openAsk } from './open-ask.ts'
import { judge } from './policy/judge.ts'

/** What belongs to a prompt: its turn waits until all of it has been read, run or refused. */
export type Attachment =
  | { kind: 'file'; read: FileRead; ask: string | null }
  | { kind: 'skill'; name: string; text: string }
  /** A command of a command file, whose output the prompt speaks of. */
  | { kind: 'command'; command: string }

/** The files that a text mentions: each once, as it is named first. */
export function mentioned(text: string, { mentions }: Catalogue): readonly Attachment[] {
  const files = new Map<string, Attachment>()
  for (const readings of findMentions(text)) {
    const [first] = readings.flatMap((mention) => {
      const target = mentions.get(mention.path)
      return target ? [fileOf(target, mention)] : []
    })
    const key = JSON.stringify([first?.read.file, first?.read.lines])
    if (first && !files.has(key)) files.set(key, first)
  }
  return [...files.values()]
}

function fileOf(
  { file, kind, ask }: MentionedFile,
  { path, lines }: Pick<FileRead, 'path' | 'lines'>,
): Attachment & { kind: 'file' } {
  return { kind: 'file', read: { path, file, kind, lines: kind === 'file' ? lines : null }, ask }
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

/** A command that stands in a file was not typed by anybody here: it is judged like the model’s. */
function attachRun(append: Append, prompt: Seq, command: string): void {
  const { workspace, approval, limits } = append.state
  const run: RunRequest = {
    command,
    lane: 'background',
    source: 'slash',
    cwd: workspace,
    timeoutMs: limits.oneShotMs,
    private: false,
    thenTurn: false,
  }
  const request = openCommand(append, { name: 'shell', text: command }, { run, prompt })
  const { decision, reasons } = judge(command, { approval, workspace, cwd: workspace })
  const call = openCall(append.state, request)
  if (decision === 'deny' && call)
    answerCall(append, call, { status: 'denied', line: `not run: ${reasons.join('; ')}` })
  if (decision === 'ask')
    question(append, { request, command, reasons: ['a command file runs it', ...reasons] })
}

function question(
  append: Append,
  asked: { request: Seq; command: string; reasons: readonly string[] },
): void {
  openAsk(append, { ...asked, kind: 'approval', cwd: append.state.workspace })
}

/** What belongs to a prompt that waits and is not in its words: its skill, the commands of its file. */
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

/** A prompt that waits, and what was to be read for it, which is of no use to anybody now. */
export function takeBack(append: Append, prompt: Seq): void {
  for (const call of append.state.calls) {
    if (call.request.prompt !== prompt) continue
    const { meta, seq: request } = call.request
    voidAsk(append, call)
    append.add(
      {
        type: 'tool_response',
        meta,
        request,
        status: 'cancelled',
        content: 'withdrawn with its prompt',
        inContext: false,
      },
      system,
    )
  }
  append.add({ type: 'input_withdrawn', queued: prompt })
}
