import { readAudit } from '../../client/server.ts'
import { AuditKind, type AuditGap, type AuditRow } from '../../protocol/events/audit.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'
import { gradeWords } from '../../view/words/ask.ts'
import { attach } from '../attach.ts'
import { exitCode } from '../exit-code.ts'
import { findSession } from '../find-session.ts'
import type { Io } from '../io.ts'

export type AuditOptions = {
  session?: string
  /** Milliseconds since 1970. */
  since?: number
  json?: boolean
  jsonl?: boolean
} & Partial<Record<AuditKind, boolean>>

/** `tandem audit`: every command that was proposed, asked about, answered and run, by whom, and why. */
export async function auditCommand(io: Io, options: AuditOptions): Promise<number> {
  const { client } = await attach(io)
  const { since, json, jsonl } = options
  const session = options.session && (await findSession(client, options.session)).id
  const kinds = AuditKind.options.filter((kind) => options[kind])
  const print = json ? jsonPrinter(io) : jsonl ? linePrinter(io) : tablePrinter(io)
  const unreadable: string[] = []
  const query = { ...(session && { session }), ...(since !== undefined && { since }) }
  for await (const row of readAudit(client, query)) {
    if (row.kind === 'unreadable') unreadable.push(row.session)
    else if (kinds.length === 0 || kinds.includes(row.kind)) print.row(row)
  }
  print.end()
  for (const id of unreadable)
    io.note(`tandem: the log of ${id} cannot be read whole; not all of its commands are above.`)
  return unreadable.length === 0 ? exitCode.ok : exitCode.error
}

interface Printer {
  row(row: AuditRow): void
  end(): void
}

/** One array, row by row: an audit has no end that would fit into memory. */
function jsonPrinter(io: Io): Printer {
  let before = '['
  return {
    row(row) {
      io.out(`${before}${JSON.stringify(row)}`)
      before = ',\n'
    },
    end: () => io.out(before === '[' ? '[]\n' : ']\n'),
  }
}

const linePrinter = (io: Io): Printer => ({
  row: (row) => io.out(`${JSON.stringify(row)}\n`),
  end: () => undefined,
})

/** A heading a session; its commands below, in the order in which they came to be known. */
function tablePrinter(io: Io): Printer {
  let session: AuditGap['session'] | null = null
  return {
    row(row) {
      if (row.session !== session) io.out(`${session === null ? '' : '\n'}session ${row.session}\n`)
      session = row.session
      io.out(rowText(row))
    },
    end() {
      if (session === null) io.note('There is nothing to tell yet.')
    },
  }
}

/** Longer ones say no more to a person who looks for one; `--json` has them whole. */
const shownChars = 400

export function rowText(row: AuditRow): string {
  const when = new Date(row.at).toISOString().slice(0, 19).replace('T', ' ')
  const command = clip(printableLine(subjectOf(row)))
  const detail = clip(printableLine(detailOf(row).join('; ')))
  const why = detail === '' ? '' : `${' '.repeat(when.length + 3)}${detail}\n`
  return `${when}Z  ${row.kind.padEnd(8)}  ${whoOf(row)}: ${command}\n${why}`
}

function subjectOf({ kind, command, reasons }: AuditRow): string {
  return kind === 'revoked' ? reasons.join('; ') || 'a rule' : (command ?? '(private)')
}

function clip(text: string): string {
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}…`
}

type Who = Pick<AuditRow, 'who' | 'name' | 'client'>

function whoOf({ who, name, client }: Who): string {
  const known = who === 'user' ? (name ?? 'you') : who === 'system' ? 'policy' : (name ?? who)
  return printableLine(client === null ? known : `${known} (${client})`)
}

function detailOf(row: AuditRow): readonly string[] {
  const { decidedBy, grade, reasons, rules, outcome, exit } = row
  const end = outcome === null ? [] : [exit === null ? outcome.replace('_', ' ') : `exit ${exit}`]
  const effect = grade === null ? [] : [gradeWords[grade].toLowerCase()]
  const said = reasons.length === 0 ? [] : [reasons.join('; ')]
  const ruled = rules.length === 0 ? [] : [`rule: ${rules.join(', ')}`]
  if (row.kind === 'proposed') return []
  if (row.kind === 'asked') return [...effect, ...said]
  if (row.kind === 'answered') return [answerWords(row), ...ruled]
  if (row.kind === 'revoked') return ruled
  return [...end, ...deciderOf(row), ...(decidedBy === 'policy' ? said : []), ...ruled]
}

function answerWords({ decision, scope }: AuditRow): string {
  const words = decision === 'allow' ? 'yes' : decision === 'deny' ? 'no' : 'taken back'
  return scope === null ? words : `${words}, for the ${scope}`
}

/** Those who let it run, or did not. */
function deciderOf({ decision, decidedBy, answeredBy, reasons }: AuditRow): readonly string[] {
  const verb = decision === 'deny' ? 'denied' : 'allowed'
  if (answeredBy !== null) return [`${verb} by ${whoOf(answeredBy)}`]
  if (decidedBy === 'policy') return [`${verb} by the policy`]
  return reasons.length === 0 ? [] : [reasons.join('; ')]
}
