import type { ElicitationRequest, ElicitationResponse } from '../../protocol/events/ask.ts'
import type { AuditKind, AuditRow } from '../../protocol/events/audit.ts'
import type { ToolRequest, ToolResponse } from '../../protocol/events/call.ts'
import type { By } from '../../protocol/events/event-base.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { RunEnd, RunStart } from '../../protocol/events/run.ts'
import type { Seq, SessionId } from '../../protocol/events/seq.ts'
import { describeAct, isInput } from '../calls/terminal-act.ts'
import { redact, createRevocations, type Revocation } from './redact.ts'

type Decided = Pick<AuditRow, 'decision' | 'decidedBy' | 'grade' | 'reasons' | 'rules'> &
  Pick<AuditRow, 'scope' | 'answeredBy'>

const undecided: Decided = {
  decision: null,
  decidedBy: null,
  grade: null,
  reasons: [],
  rules: [],
  scope: null,
  answeredBy: null,
}

/** A call that the audit is about, from its proposal to its end. */
interface Followed {
  request: ToolRequest
  command: string | null
  decided: Decided
  /** Its runs that reached a shell, or may have. */
  runs: number
  isAnswered: boolean
}

interface Running {
  start: RunStart
  call: Followed | undefined
}

/**
 * The audit of one session, event by event: rows as they become known. It holds only what is open, so that a log of any
 * length needs no more memory than a short one.
 */
export function createAudit(session: SessionId) {
  const commands = createCommandAudit(session)
  const revocations = createRevocations()
  return {
    ...commands,
    take: (event: Event): readonly AuditRow[] => [
      ...commands.take(event),
      ...revocations.take(event).map((each) => revokedRow(session, each)),
    ],
  }
}

function createCommandAudit(session: SessionId) {
  const calls = new Map<Seq, Followed>()
  const asks = new Map<Seq, ElicitationRequest>()
  const runs = new Map<Seq, Running>()

  function proposed(request: ToolRequest): readonly AuditRow[] {
    const command = subjectOf(request)
    if (command === undefined) return []
    calls.set(request.seq, { request, command, decided: undecided, runs: 0, isAnswered: false })
    if (request.meta.isClientInitiated) return []
    const source = request.run?.source ?? null
    return [{ ...rowOf(session, 'proposed', request), command, source }]
  }

  function asked(ask: ElicitationRequest): readonly AuditRow[] {
    asks.set(ask.seq, ask)
    const decided = { ...decidedIn(ask), decision: 'ask', decidedBy: 'policy' } as const
    return [{ ...rowOf(session, 'asked', ask), ...decided, command: redact(ask.command) }]
  }

  function answered(answer: ElicitationResponse): readonly AuditRow[] {
    const ask = asks.get(answer.request)
    asks.delete(answer.request)
    const decided = answeredIn(ask, answer)
    const call = ask && calls.get(ask.request)
    const command = redact(answer.command ?? ask?.command ?? '')
    if (answer.outcome !== 'void') set(call, { ...decided, answeredBy: whoOf(answer.by) })
    return [{ ...rowOf(session, 'answered', answer), ...decided, ...saidIn(answer), command }]
  }

  function started(start: RunStart): void {
    const call = start.request === null ? undefined : calls.get(start.request)
    runs.set(start.seq, { start, call })
    if (call === undefined) return
    call.runs += 1
    const { verdict } = start
    const isJudged = start.source === 'model' && call.decided.decision !== 'allow'
    if (verdict !== undefined || isJudged)
      call.decided = { ...undecided, ...verdictOf(verdict), decision: 'allow' }
  }

  function ended({ start: seq, outcome, exitCode }: RunEnd): readonly AuditRow[] {
    const run = runs.get(seq)
    runs.delete(seq)
    if (run === undefined) return []
    if (outcome !== 'not_started') return [ran(session, run, { outcome, exit: exitCode })]
    // It is judged anew, or answered as not run; if that was told already, this is the last word on it.
    const { call, start } = run
    if (call === undefined) return []
    call.runs -= 1
    const isLast = call.isAnswered && call.runs === 0
    return isLast ? [unrun(call, rowOf(session, 'skipped', start))] : []
  }

  function closed(answer: ToolResponse): readonly AuditRow[] {
    const call = calls.get(answer.request)
    calls.delete(answer.request)
    if (call === undefined) return []
    call.isAnswered = true
    return call.runs > 0 ? [] : [endOf(session, call, answer)]
  }

  return {
    take(event: Event): readonly AuditRow[] {
      if (event.type === 'tool_request') return proposed(event)
      if (event.type === 'elicitation_request') return asked(event)
      if (event.type === 'elicitation_response') return answered(event)
      if (event.type === 'run_end') return ended(event)
      if (event.type === 'tool_response') return closed(event)
      if (event.type === 'run_start') started(event)
      return []
    },
    /** Runs whose end is not in the log. */
    running: (): readonly AuditRow[] =>
      [...runs.values()].map((run) => ran(session, run, { outcome: 'running', exit: null })),
    /** How much it holds. */
    open: () => calls.size + asks.size + runs.size,
  }
}

function revokedRow(session: SessionId, { event, ...about }: Revocation): AuditRow {
  // A server that takes a session over takes back what its dead predecessor had been told.
  const isOwn = event.type === 'session_update' && event.by.kind === 'system'
  return { ...rowOf(session, 'revoked', event), decidedBy: isOwn ? null : 'person', ...about }
}

function set(call: Followed | undefined, decided: Decided): void {
  if (call !== undefined) call.decided = decided
}

function rowOf(
  session: SessionId,
  kind: AuditKind,
  { seq, at, by }: Pick<Event, 'seq' | 'at' | 'by'>,
): AuditRow {
  const blank = { command: null, source: null, outcome: null, exit: null }
  return { session, seq, at, kind, ...blank, ...undecided, ...whoOf(by) }
}

function ran(
  session: SessionId,
  { start, call }: Running,
  end: Pick<AuditRow, 'outcome' | 'exit'>,
): AuditRow {
  const isHidden = start.private || start.command === ''
  return {
    ...rowOf(session, 'ran', start),
    ...(call?.decided ?? undecided),
    command: isHidden ? null : redact(start.command),
    source: start.source,
    ...end,
  }
}

function endOf(session: SessionId, call: Followed, answer: ToolResponse): AuditRow {
  const { status, verdict } = answer
  const isDone = call.request.act !== undefined && (status === 'done' || status === 'waiting')
  const kind = status === 'denied' ? 'denied' : isDone ? 'ran' : 'skipped'
  if (verdict !== undefined)
    call.decided = { ...undecided, ...verdictOf(verdict), decision: 'deny' }
  const row = unrun(call, rowOf(session, kind, answer))
  return kind === 'skipped' ? { ...row, reasons: [status] } : row
}

/** The end of a call that had no run. */
function unrun({ request, command, decided }: Followed, row: AuditRow): AuditRow {
  return {
    ...row,
    ...decided,
    ...whoOf(request.by),
    command,
    source: request.run?.source ?? null,
  }
}

/** The command or input that a call is about: null is a private one, undefined something else. */
function subjectOf({ run, act }: ToolRequest): string | null | undefined {
  if (run !== undefined) return run.private ? null : redact(run.command)
  return act !== undefined && isInput(act) ? redact(describeAct(act)) : undefined
}

function whoOf({ kind, name, client }: By): NonNullable<AuditRow['answeredBy']> {
  return { who: kind, name: name ?? null, client: client ?? null }
}

function decidedIn({ grade, reasons }: ElicitationRequest): Decided {
  return { ...undecided, grade: grade ?? null, reasons: reasons.map(redact) }
}

function answeredIn(ask: ElicitationRequest | undefined, answer: ElicitationResponse): Decided {
  return {
    ...(ask ? decidedIn(ask) : undecided),
    decision: answer.outcome,
    decidedBy: answer.by.kind === 'system' ? 'policy' : 'person',
    scope: answer.scope ?? null,
  }
}

/** The word of an answer, and the rule that it made, which let others run: this command ran without it. */
function saidIn({ word, rule }: ElicitationResponse): Partial<Decided> {
  return {
    ...(word !== undefined && { reasons: [redact(word)] }),
    rules: rule === undefined ? [] : [rule.id],
  }
}

/** Logs of old versions do not say why a command was allowed: then it was the policy, without a reason. */
function verdictOf(verdict: RunStart['verdict']): Partial<Decided> {
  const { grade, reasons = [], rules = [] } = verdict ?? {}
  return { decidedBy: 'policy', grade: grade ?? null, reasons: reasons.map(redact), rules }
}
