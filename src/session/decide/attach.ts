import { assertNever } from '../../base/assert-never.ts'
import type { FileRead } from '../../protocol/events/call.ts'
import type { RunRequest } from '../../protocol/events/run.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import type { SessionState } from '../../log/state.ts'
import type { Append } from '../append.ts'
import { openAsk } from '../asks.ts'
import type { Catalogue } from '../catalogue.ts'
import { openCommand } from '../commands/command.ts'
import { findMentions } from './mentions.ts'

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
