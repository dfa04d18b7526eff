import { z } from 'zod'
import { guarded } from './store-error.ts'
import type { SessionSummary } from './store.ts'

/** Free text in a column; see the schema for why it is JSON. */
export const toText = (text: string): string => JSON.stringify(text)
export const Text = z.string().transform((json) => z.string().parse(JSON.parse(json)))

export interface SessionRow {
  /** What the other tables call the session: eight bytes at most, not its long id. */
  num: number
  summary: SessionSummary
}

export const SessionRow = z
  .object({
    num: z.number(),
    id: z.string(),
    team: z.string(),
    workspace: Text,
    title: Text.nullable(),
    created_at: z.number(),
    updated_at: z.number(),
    head: z.number(),
    preview: Text.nullable(),
    live: z.number(),
  })
  .transform(({ num, created_at: createdAt, updated_at: updatedAt, live, ...rest }): SessionRow => {
    return { num, summary: { ...rest, createdAt, updatedAt, live: live !== 0 } }
  })

export const EventRow = z.object({ seq: z.number(), body: z.string() })
export const RunRow = z.object({ id: z.string(), ...EventRow.shape })
export const KeyRow = z.object({ head: z.number() })
export const NumRow = z.object({ num: z.number() })

export const SnapshotRow = z
  .object({ seq: z.number(), fold_version: z.number(), state: z.string() })
  .transform(({ seq, fold_version: foldVersion, state }) => ({ seq, foldVersion, state }))

export const DraftRow = z.object({ step: z.number(), text: Text })

/** A row as its schema reads it; null when there is none. */
export function readRow<T>(file: string, schema: z.ZodType<T>, row: unknown): T | null {
  return row === undefined ? null : guarded(file, () => schema.parse(row))
}

export function readRows<T>(
  file: string,
  schema: z.ZodType<T>,
  rows: readonly unknown[],
): readonly T[] {
  return guarded(file, () => z.array(schema).parse(rows))
}
