import { z } from 'zod'
import { limits } from './limits.ts'
import { At } from './seq.ts'

/** How a text would be submitted: that decides what it means, and so what completes it. */
export const SubmitAs = z.enum(['auto', 'run', 'text'])
export type SubmitAs = z.infer<typeof SubmitAs>

/** An input as it stands in somebody’s composer. Left out, the text is empty. */
export const CompletionQuery = z.object({
  text: z.string().max(limits.queryChars).default(''),
  /** In UTF-16 units, as text fields count. */
  cursor: z.coerce.number().int().nonnegative(),
  as: SubmitAs.default('auto'),
})
export type CompletionQuery = z.infer<typeof CompletionQuery>

export const CompletionKind = z.enum([
  'command',
  'skill',
  'flag',
  'choice',
  'repo',
  'model',
  'task',
  'file',
  'folder',
  'program',
  'alias',
  'function',
  'variable',
  'history',
])
export type CompletionKind = z.infer<typeof CompletionKind>

export const CompletionItem = z.object({
  /** What is shown: control characters are escaped in it. */
  label: z.string(),
  /** What takes the place of the range, quoted where that needs it. */
  insert: z.string(),
  kind: CompletionKind,
  detail: z.string().optional(),
})
export type CompletionItem = z.infer<typeof CompletionItem>

/** What could stand at the cursor: `text.slice(0, from) + insert + text.slice(to)`, best first. */
export const Completion = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  items: z.array(CompletionItem),
  /** There may be more than was looked at: asking again can give another answer. */
  isPartial: z.boolean().optional(),
})
export type Completion = z.infer<typeof Completion>

/** Commands of the shared shell, and what is said to the session. */
export const InputKind = z.enum(['chat', 'shell'])
export type InputKind = z.infer<typeof InputKind>

export const HistoryQuery = z.object({
  kind: InputKind.default('chat'),
  /** Only what begins so. */
  prefix: z.string().max(limits.queryChars).optional(),
  /** Only what has these letters in this order, best first. */
  q: z.string().max(limits.queryChars).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})
export type HistoryQuery = z.infer<typeof HistoryQuery>

/** An earlier input of the team’s. */
export const PastInput = z.object({ text: z.string(), at: At })
export type PastInput = z.infer<typeof PastInput>

/** What can stand behind a command’s name. */
export const ArgumentInfo = z.object({
  name: z.string(),
  kind: z.string(),
  place: z.enum(['flag', 'word', 'rest']),
  isOptional: z.boolean(),
  choices: z.array(z.string()).optional(),
})
export type ArgumentInfo = z.infer<typeof ArgumentInfo>

/** A line of `/help`, whoever draws it. */
export const CommandInfo = z.object({
  name: z.string(),
  aliases: z.array(z.string()),
  usage: z.string(),
  summary: z.string(),
  /** `local` ones are done by the client itself; the session refuses them. */
  source: z.enum(['session', 'local', 'skill', 'file']),
  reachesModel: z.boolean(),
  arguments: z.array(ArgumentInfo),
})
export type CommandInfo = z.infer<typeof CommandInfo>
