import { assertNever } from '../../base/assert-never.ts'
import type { AskCause, ElicitationRequest, StoredVerdict } from '../../protocol/events/ask.ts'
import type { RuleId } from '../../protocol/events/rule.ts'
import type { Seq } from '../../protocol/events/seq.ts'
import { commandOf, isBeside, openCall, termsOf, terminalRun } from '../../log/open.ts'
import type { OpenCall, OpenStep, SessionState } from '../../log/state.ts'
import { answerCall, type Append } from '../append.ts'
import { notRun, openAsk, skipRest } from '../asks.ts'
import type { Catalogue } from '../catalogue.ts'
import { startOneShot, startRun } from '../due.ts'
import { shellPart } from '../policy/live/fingerprint.ts'
import { isSameList } from '../policy/rules/part.ts'
import type { Judged } from './report.ts'

const editedBefore = 'it was edited before the shell changed'

/** A verdict is over: the call runs, is asked about, or is told why not. */
export function recordJudged(append: Append, found: Judged, catalogue: Catalogue): void {
  const { state } = append
  const report = withoutRevoked(found, state, catalogue)
  const call = openCall(state, report.call)
  // Somebody chose another mode meanwhile, or took a rule back: that counts from then on.
  if (call?.at.phase !== 'unjudged' || report.terms !== termsOf(state)) return
  if (isBeside(call)) return judgedBeside(append, call, report)
  // Something ran meanwhile, or is running: what was judged is no longer what would happen.
  if (report.stamp === state.stamp && !terminalRun(state))
    judgedInTerminal(append, { call, edited: call.at.edited }, report)
}

/** A rule of the folder is in no log: somebody may have taken it back after it was read for the verdict. */
function withoutRevoked(report: Judged, { rules }: SessionState, { hasRule }: Catalogue): Judged {
  const { verdict } = report
  const counts = (id: RuleId) => rules.some((rule) => rule.id === id) || hasRule?.(id) !== false
  if (verdict.decision !== 'allow' || verdict.rules.every(counts)) return report
  return { ...report, verdict: { ...verdict, decision: 'ask', reasons: [takenBack], rules: [] } }
}

const takenBack = 'the rule that let it run was taken back meanwhile'

function judgedInTerminal(
  append: Append,
  { call, edited }: { call: OpenCall; edited: string | null },
  report: Judged,
): void {
  const { state } = append
  if (call.request.run === undefined) return
  const { mark, cwd, verdict } = report
  const { decision, reasons } = verdict
  const command = edited ?? call.request.run.command
  const ask = questionOf(report, { request: call.request.seq, command })
  switch (decision) {
    case 'allow':
      // A command that a person edited for another place is offered to them, not run by itself.
      if (edited !== null) return openAsk(append, { ...ask, reasons: [editedBefore] })
      startRun(append, call, { command, mark, cwd, by: { verdict: stored('allow', report) } })
      return
    case 'ask': {
      const yes = edited === null ? standingYes(state, call, report) : null
      if (yes === null) return openAsk(append, { ...ask, reasons })
      startRun(append, call, { command, mark, cwd, by: { yes } })
      return
    }
    case 'deny':
      denyCall(append, call, report)
      skipRest(append, notRun, 'skipped')
      return
    default:
      assertNever(decision)
  }
}

/** A command of a command file, which has a shell of its own. */
function judgedBeside(append: Append, call: OpenCall, report: Judged): void {
  const { decision, reasons } = report.verdict
  const command = commandOf(call) ?? ''
  if (decision === 'allow')
    return startOneShot(append, call, { command, verdict: stored('allow', report) })
  if (decision === 'deny') return denyCall(append, call, report)
  // A rule is about the model's commands, and this is none.
  const {
    offer: _,
    settings: __,
    ...ask
  } = questionOf(report, { request: call.request.seq, command })
  openAsk(append, { ...ask, reasons: ['a command file runs it', ...reasons] })
}

function denyCall(append: Append, call: OpenCall, report: Judged): void {
  const line = `not run: ${report.verdict.reasons.join('; ')}`
  answerCall(append, call, { status: 'denied', line, verdict: stored('deny', report) })
}

/** The verdict as the log keeps it. */
function stored(decision: StoredVerdict['decision'], { verdict }: Judged): StoredVerdict {
  const { grade, reasons, rules } = verdict
  return {
    decision,
    ...(grade !== null && { grade }),
    reasons: [...reasons],
    ...(rules.length > 0 && { rules: [...rules] }),
  }
}

function questionOf(
  { verdict, cwd, mark, fingerprint }: Judged,
  about: Pick<ElicitationRequest, 'request' | 'command'>,
) {
  const { effective, grade, offer, causes = [], settings } = verdict
  return {
    ...about,
    kind: 'approval',
    effective,
    cwd,
    ...(grade !== null && { grade }),
    ...(causes.length > 0 && { causes: [...causes] }),
    ...(offer !== null && { offer: { words: offer.words, rule: offer } }),
    ...(mark !== undefined && { mark }),
    ...(fingerprint !== undefined && { fingerprint }),
    // Without a fingerprint nobody can say which shell they are of.
    ...(fingerprint !== undefined && settings && { settings: [...settings] }),
  } as const
}

/** The yes that a call needs no other than: its own, or one for the rest of its reply; null when it has to be asked about. */
function standingYes(state: SessionState, { request, yes }: OpenCall, judged: Judged): Seq | null {
  const { fingerprint } = judged
  if (fingerprint === undefined || readsMore.test(request.run?.command ?? '')) return null
  if (yes !== undefined && isAsBefore(yes.ask, judged)) return yes.seq
  const { step } = state
  return step !== null && request.step === step.seq ? yesForRest(step, judged, fingerprint) : null
}

/** A yes for what nobody had seen yet is for no more than a person could expect. */
function yesForRest({ yes }: OpenStep, { verdict }: Judged, fingerprint: string): Seq | null {
  const isGrave = verdict.grade === null || verdict.grade === 'destroys'
  if (yes === undefined || isGrave) return null
  return shellPart(yes.fingerprint) === shellPart(fingerprint) ? yes.seq : null
}

/** Variables and jobs of the shell's own, which no fingerprint tells. */
const readsMore = /[$`%]/

/** The shell has moved, but the command means there what it meant, and is judged as it was. */
function isAsBefore(ask: ElicitationRequest, { fingerprint, verdict, cwd }: Judged): boolean {
  const { grade, effective, reasons, causes = [] } = verdict
  return (
    ask.fingerprint === fingerprint &&
    ask.cwd === cwd &&
    (ask.grade ?? null) === grade &&
    ask.effective === effective &&
    ask.reasons.length === reasons.length &&
    ask.reasons.every((reason, at) => reason === reasons[at]) &&
    isSameList(targetsOf(ask.causes ?? []), targetsOf(causes))
  )
}

/** A link may lead elsewhere by now. */
function targetsOf(causes: readonly AskCause[]): readonly string[] {
  return causes.flatMap(({ targets = [] }) => targets)
}
