import { z } from 'zod'
import { At } from '../events/seq.ts'
import { limits } from '../limits.ts'
import { SubmitAs } from './intent.ts'
import { OfSession, type Route } from './route.ts'

/** An input as it stands in somebody’s composer. Left out, the text is empty. */
export const CompletionQuery = z.object({
  text: z.string().max(limits.queryChars).default(''),
  /** Counted in UTF-16 units, as text fields do. */
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
  /** The text to show, with control characters escaped. */
  label: z.string(),
  /** The text that replaces the range, quoted where needed. */
  insert: z.string(),
  kind: CompletionKind,
  detail: z.string().optional(),
})
export type CompletionItem = z.infer<typeof CompletionItem>

/**
 * The candidates at the cursor, best first; one is used as `text.slice(0, from) + insert +
 * text.slice(to)`.
 */
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
  /** Keeps inputs that begin so. */
  prefix: z.string().max(limits.queryChars).optional(),
  /** Keeps inputs with these letters in this order, best first. */
  q: z.string().max(limits.queryChars).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})
export type HistoryQuery = z.infer<typeof HistoryQuery>

/** An earlier input of the team’s. */
export const PastInput = z.object({ text: z.string(), at: At })
export type PastInput = z.infer<typeof PastInput>

/** An argument behind a command’s name. */
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

/** Routes that help a person to type. */
export const inputRoutes = {
  complete: {
    method: 'GET',
    path: '/v1/sessions/:id/complete',
    summary:
      'What could stand at the cursor; a newer question of the same client ends an older one',
    params: OfSession,
    query: CompletionQuery,
    answer: Completion,
  },
  history: {
    method: 'GET',
    path: '/v1/sessions/:id/history',
    summary: 'Earlier inputs of the team, newest first; nothing private and no secrets',
    params: OfSession,
    query: HistoryQuery,
    answer: z.object({ inputs: z.array(PastInput) }),
  },
  commands: {
    method: 'GET',
    path: '/v1/sessions/:id/commands',
    summary: 'Every command that can be typed, with skills and command files',
    params: OfSession,
    answer: z.object({ commands: z.array(CommandInfo) }),
  },
} as const satisfies Record<string, Route>
