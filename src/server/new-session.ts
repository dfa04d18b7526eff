import { isAbsolute } from 'node:path'
import type { Event } from '../protocol/event.ts'
import type { SessionLimits } from '../protocol/limits.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { CreateSession } from '../protocol/create-session.ts'
import type { ApprovalMode } from '../protocol/session.ts'
import { initialState, noUsage } from '../log/state.ts'
import { type Append, type NewEvent, openAppend, system } from '../session/append.ts'
import type { LookAt } from './looker/ops.ts'
import type { SuppliedMessage } from './host.ts'

export interface NewSession {
  options: CreateSession
  limits: SessionLimits
  approval: ApprovalMode
  /** A history that a caller keeps: read by the model, never looked through for tags. */
  history: readonly SuppliedMessage[]
  /** What is told of a shell that it begins with. */
  news?: readonly NewEvent[]
  at: number
  uuid: string
}

/** The events a session begins with. */
export function firstEvents(session: NewSession): readonly Event[] {
  const { options, limits, approval, history, at, uuid } = session
  const append = openAppend(initialState, { at, uuid, by: { kind: 'user' }, body: null })
  append.add({
    type: 'session_start',
    team: options.team,
    workspace: options.workspace,
    title: options.title ?? null,
    approval: options.approval ?? approval,
    limits,
  })
  for (const message of history) addSupplied(append, message)
  for (const event of session.news ?? []) append.add(event, system)
  return append.events
}

function addSupplied(append: Append, { role, content }: SuppliedMessage): void {
  if (content.trim() === '') return
  const shared = {
    type: 'message',
    parts: [{ type: 'text', text: content }],
    inContext: true,
  } as const
  if (role === 'assistant')
    append.add({
      ...shared,
      parts: [...shared.parts],
      role,
      step: null,
      stop: 'done',
      usage: noUsage,
      witness: { prefixBytes: 0, ok: true },
      synthetic: true,
    })
  else append.add({ ...shared, parts: [...shared.parts], role: 'user', synthetic: role !== 'user' })
}

export async function badWorkspace(folder: string, look: LookAt): Promise<Refusal | null> {
  const bad = (why: string): Refusal => ({
    code: 'bad_workspace',
    message: `The workspace ${JSON.stringify(folder)} ${why}.`,
  })
  if (!isAbsolute(folder) || folder.includes('\0')) return bad('is not an absolute folder')
  const looked = await look('folder', folder)
  if (!looked.ok) return bad(`cannot be used: ${looked.error}`)
  if (looked.value === 'missing') return bad('does not exist')
  return looked.value === 'folder' ? null : bad('is not a folder')
}
