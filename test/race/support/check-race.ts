import type { Event } from '../../../src/protocol/events/event.ts'
import type { Executed } from './planted-shell.ts'
import type { JudgedTruth, RaceTruth } from './race-world.ts'

type OfType<T extends Event['type']> = Event & { type: T }

/** The number of things that a history had: one that is always zero was not tested. */
export interface Tally {
  allowed: number
  approved: number
  /** Of those allowed, the ones that only a rule allowed; of those approved, the ones by a yes for the rest of a reply. */
  ruled: number
  ofFolder: number
  rest: number
  moved: number
  denied: number
  /** Shells inside others that became the one that commands run in. */
  adopted: number
  /** Yeses that came too late: all of them, and those for a state that was still the same. */
  voided: number
  needless: number
}

export const noTally: Tally = {
  allowed: 0,
  approved: 0,
  ruled: 0,
  ofFolder: 0,
  rest: 0,
  moved: 0,
  denied: 0,
  adopted: 0,
  voided: 0,
  needless: 0,
}

/**
 * Holds what the shell really executed against what was judged, asked and answered before. It knows nothing of stamps,
 * and takes only facts from the log: the state that a question showed, and the state at the run, are the world's own.
 */
export function checkRace(truth: RaceTruth): Tally {
  const tally = { ...noTally }
  const ran = new Set<string>()
  const calls = new Set<number>()
  for (const each of truth.executed) {
    const start = startOf(truth, each)
    if (start === null) continue
    if (ran.has(each.id)) fail('it ran twice', each)
    ran.add(each.id)
    if (start.source !== 'model') continue
    if (start.request === null || calls.has(start.request)) fail('its call ran twice', each)
    calls.add(start.request)
    if (each.command !== start.command) fail(`it is not ${start.command}`, each)
    const by = checkModel(truth, each, start)
    tally[by === 'policy' ? 'allowed' : 'approved'] += 1
    if (by === 'rest') tally.rest += 1
    const rules = start.verdict?.rules ?? []
    if (by === 'policy' && rules.length > 0) tally.ruled += 1
    if (by === 'policy' && rules.some((rule) => isOfFolder(truth, rule))) tally.ofFolder += 1
  }
  return { ...tally, ...count(truth) }
}

function fail(why: string, { command, state }: Executed): never {
  throw new Error(`${why}: \`${command}\` in ${state}`)
}

/** The run that this is; null for a line of a person's own. */
function startOf({ log }: RaceTruth, executed: Executed): OfType<'run_start'> | null {
  const { id, who, at } = executed
  if (who === 'keys' && id === '') return null
  if (who === 'keys') fail('a line of a person has a command of ours in it', executed)
  const found = log.find(({ event }) => event.type === 'run_start' && event.run === id)
  if (found?.event.type !== 'run_start') fail('nobody started it', executed)
  if (found.at > at) fail('it ran before its start was stored', executed)
  const end = log.find(({ event }) => event.type === 'run_end' && event.run === id)
  if (end !== undefined && end.at < at) fail('it ran after its end was told', executed)
  return found.event
}

/** Says who allowed it. Throws unless a person or the policy did, just this in just this state. */
function checkModel(
  truth: RaceTruth,
  executed: Executed,
  start: OfType<'run_start'>,
): 'person' | 'rest' | 'policy' {
  const before = truth.log.flatMap(({ event }) => (event.seq < start.seq ? [event] : []))
  const asks = before.filter(isType('elicitation_request'))
  const mine = asks.filter((ask) => ask.request === start.request)
  const answers = before
    .filter(isType('elicitation_response'))
    .filter((answer) => mine.some(({ seq }) => seq === answer.request))
  const isSaid = (id: string | undefined, word: 'allow' | 'deny') =>
    truth.said.some(({ ask, outcome }) => ask === id && outcome === word)
  if (mine.some(({ ask }) => isSaid(ask, 'deny'))) fail('it was denied', executed)
  if (before.some((event) => event.type === 'tool_response' && event.request === start.request))
    fail('its call was closed', executed)
  if (start.cwd !== executed.cwd) fail(`it was to run in ${start.cwd}`, executed)
  const last = mine.at(-1)
  const answer = answers.find(({ request }) => request === last?.seq)
  if (last !== undefined && answer === undefined) fail('its question is open', executed)
  const isYes = last !== undefined && answer?.outcome === 'allow'
  if (isYes && (answer.command ?? last.command) !== executed.command)
    fail('nobody said yes to it', executed)
  if (isYes && !isSaid(last.ask, 'allow')) fail('nobody said yes', executed)
  if (isYes && isShown(truth, executed, last)) return 'person'
  // A yes that came to nothing, for the shell had changed, is no reason: it was judged anew there.
  const hasMoved = before.some(
    (event) => event.type === 'run_start' && event.request === start.request,
  )
  if (isYes && !hasMoved && answer.moved !== true)
    fail(`the question was about ${shownBy(truth, last)}`, executed)
  if (isOfReply(truth, executed, before)) return 'rest'
  checkAllowed(truth, executed, start)
  return 'policy'
}

/** Somebody said yes to an earlier command of the reply and to all that follow in the same state. */
function isOfReply(truth: RaceTruth, executed: Executed, before: readonly Event[]): boolean {
  const start = truth.log.find(
    ({ event }) => event.type === 'run_start' && event.run === executed.id,
  )?.event
  const stepOf = (call: number | null) => {
    const request = truth.log.find(({ event }) => event.seq === call)?.event
    return request?.type === 'tool_request' ? request.step : null
  }
  const step = start?.type === 'run_start' ? stepOf(start.request) : null
  return before.filter(isType('elicitation_response')).some((answer) => {
    const ask = before
      .filter(isType('elicitation_request'))
      .find(({ seq }) => seq === answer.request)
    const isWide = answer.outcome === 'allow' && answer.scope === 'reply' && ask !== undefined
    return isWide && step !== null && stepOf(ask.request) === step && isShown(truth, executed, ask)
  })
}

/** Nobody was asked: the last judgement of it must have allowed it, in this state and mode. */
function checkAllowed(truth: RaceTruth, executed: Executed, start: OfType<'run_start'>): void {
  const judged = truth.judged.filter(
    ({ call, command, report }) =>
      call === start.request && command === executed.command && report?.stamp === start.stamp,
  )
  const allowed = judged.filter(
    ({ report, pulled }) =>
      report?.verdict.decision === 'allow' &&
      report.mark === start.mark &&
      report.cwd === executed.cwd &&
      pulled.length > 0,
  )
  if (allowed.length === 0) fail('the policy did not allow it', executed)
  if (!allowed.some((each) => fits(each, executed)))
    fail(`it was allowed in ${allowed[0]?.pulled.join()}`, executed)
  const mode = modeAt(truth, start.seq)
  if (!allowed.some((each) => fits(each, executed) && each.approval === mode))
    fail(`it was allowed in the mode ${allowed[0]?.approval}, and ran in ${mode}`, executed)
  const rules = rulesAt(truth, start.seq)
  if (!allowed.some(({ report }) => report?.verdict.rules.every((rule) => rules.has(rule))))
    fail('the rule that allowed it was taken back', executed)
}

/** The truth about the shell at the mark that the question was about. */
function shownBy(truth: RaceTruth, ask: OfType<'elicitation_request'>): string | undefined {
  const shell = truth.log.findLast(
    ({ event }) => event.seq < ask.seq && event.type === 'shell_start',
  )?.event
  if (ask.mark === undefined || shell?.type !== 'shell_start') return undefined
  return truth.stateAt(shell.generation, ask.mark)
}

/** The question showed this state: that of the shell's mark then, its folder, and all that was pulled for it. */
function isShown(
  truth: RaceTruth,
  executed: Executed,
  ask: OfType<'elicitation_request'>,
): boolean {
  if (ask.cwd !== executed.cwd || shownBy(truth, ask) !== executed.state) return false
  const judged = truth.judged.filter(
    ({ call, report }) =>
      call === ask.request && report?.mark === ask.mark && report?.stamp === ask.generation,
  )
  return judged.length === 0 || judged.some((each) => fits(each, executed))
}

const fits = ({ pulled }: JudgedTruth, executed: Executed) =>
  pulled.every((state) => isSame(state, executed))

const isSame = (content: string, { state }: Executed) => state.endsWith(`|${content}`)

/** Rules of the session and the folder that nobody has taken back. */
function rulesAt({ log, revoked }: RaceTruth, seq: number): ReadonlySet<string> {
  const rules = new Set<string>()
  for (const { event, at } of log) {
    if (event.seq === seq) for (const each of revoked) if (each.at < at) rules.delete(each.id)
    if (event.seq >= seq) break
    if (event.type === 'elicitation_response' && event.rule) rules.add(event.rule.id)
    if (event.type === 'session_update' && event.revoked) rules.delete(event.revoked)
  }
  return rules
}

const isOfFolder = ({ log }: RaceTruth, id: string) =>
  log.some(
    ({ event }) =>
      event.type === 'elicitation_response' &&
      event.rule?.id === id &&
      event.rule.scope === 'folder',
  )

function modeAt({ log }: RaceTruth, seq: number): string {
  let mode = 'guarded'
  for (const { event } of log)
    if (event.seq < seq && event.type === 'session_update') mode = event.approval ?? mode
  return mode
}

function count(truth: RaceTruth): Partial<Tally> {
  const { log } = truth
  const asks = new Map(
    log.flatMap(({ event }) =>
      event.type === 'elicitation_request' ? [[event.seq, event] as const] : [],
    ),
  )
  const moved = log.filter(({ event }) => event.type === 'run_end' && event.moved === true)
  const denied = log.filter(
    ({ event }) => event.type === 'elicitation_response' && event.outcome === 'deny',
  )
  const adopted = log.filter(({ event }) => event.type === 'shell_adopt')
  const voided = log.filter(
    ({ event }) =>
      event.type === 'elicitation_response' && event.moved === true && event.outcome === 'void',
  )
  const needless = voided.filter(({ event, state }) => {
    const ask = event.type === 'elicitation_response' ? asks.get(event.request) : undefined
    return ask !== undefined && state !== null && shownBy(truth, ask) === state
  })
  return {
    moved: moved.length,
    denied: denied.length,
    adopted: adopted.length,
    voided: voided.length,
    needless: needless.length,
  }
}

function isType<T extends Event['type']>(type: T) {
  return (event: Event): event is OfType<T> => event.type === type
}
