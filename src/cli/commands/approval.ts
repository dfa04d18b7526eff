import { realpathSync } from 'node:fs'
import { listRules, revokeRule } from '../../client/server.ts'
import { intentsOf } from '../../client/session/intents.ts'
import { readSession } from '../../client/session/records.ts'
import type { Client } from '../../client/wire/connect.ts'
import type { Rule } from '../../protocol/events/rule.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'
import type { Json } from '../act.ts'
import { attach } from '../attach.ts'
import { CliError } from '../exit-code.ts'
import { findSession } from '../find-session.ts'
import type { Io } from '../io.ts'
import { age } from './sessions.ts'

export interface ApprovalOptions extends Json {
  /** Also the rules of this session. */
  session?: string
  /** Those of all folders. */
  all?: boolean
}

/** `tandem approval ls`: the standing yeses that count here. */
export async function listCommand(io: Io, options: ApprovalOptions): Promise<void> {
  const { client } = await attach(io)
  const rules = await rulesHere(io, client, options)
  if (options.json) io.out(`${JSON.stringify(rules)}\n`)
  else if (rules.length === 0)
    io.note('There are no rules here: every command that has to ask does.')
  else io.out(rules.map((rule) => `${line(rule, options)}\n`).join(''))
}

/** `tandem approval rm <rule>`: what it let run is asked about again. */
export async function removeCommand(
  io: Io,
  id: string,
  { session, json }: ApprovalOptions,
): Promise<void> {
  const { client } = await attach(io)
  const all = await rulesHere(io, client, { all: true, ...(session !== undefined && { session }) })
  const rule = all.find((each) => each.id === id)
  if (rule === undefined)
    throw new CliError(`no rule is called ${printableLine(id)}. See: tandem approval ls --all`)
  if (rule.scope === 'folder') await revokeRule(client, rule.id)
  else if (session !== undefined) await revokeInSession(client, session, rule)
  if (json) io.out(`${JSON.stringify(rule)}\n`)
  else io.note(`Revoked: ${printableLine(rule.words)}`)
}

async function revokeInSession(client: Client, session: string, { id }: Rule): Promise<void> {
  const found = await findSession(client, session)
  await intentsOf(client, found.id).update({ revoke: id })
}

async function rulesHere(
  io: Io,
  client: Client,
  { session, all }: ApprovalOptions,
): Promise<readonly Rule[]> {
  const { rules } = await listRules(client, all ? {} : { folder: realpathSync(io.cwd) })
  if (session === undefined) return rules
  const { id } = await findSession(client, session)
  return [...rules, ...((await readSession(client, id)).rules ?? [])]
}

function line({ id, scope, words, folder, at, by }: Rule, { all }: ApprovalOptions): string {
  const where = scope === 'session' ? 'this session' : all ? folder : 'always here'
  const who = by.name ?? by.client ?? by.kind
  return printableLine(`${id}  ${where}  ${words}  (${who}, ${age(Date.now() - at)})`)
}
