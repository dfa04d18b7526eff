import { parse } from 'unbash'
import { utf8Bytes } from '../../base/text.ts'
import { causesOf } from './causes.ts'
import { createCommandJudge } from './command.ts'
import type { AskCause, Grade } from '../../protocol/events/ask.ts'
import type { Rule, RuleDraft, RuleId } from '../../protocol/events/rule.ts'
import type { ShellSetting } from '../../protocol/events/shell.ts'
import { effectiveCommand } from './effective.ts'
import { effect, type Effect, type EffectKind, gravest } from './effect.ts'
import type { Facts, Look } from './facts.ts'
import { joinFetched } from './fetched-script.ts'
import type { Judging } from './judging.ts'
import { boundMode, forbidden, ordered } from './organisation/organisation-rules.ts'
import { isWithin } from './paths.ts'
import { acceptable } from './live/accept.ts'
import { shellEffects } from './live/shell-effects.ts'
import { judgeRedirect } from './redirects.ts'
import { draftRule, withoutRuled } from './rules/rule.ts'
import { isTaskFile } from './task-files.ts'
import type { Place, Walk } from './syntax/place.ts'
import { walkScript } from './syntax/walk.ts'

/** The policy's word on one command. Reasons are sentences for a person. */
export interface Verdict {
  decision: 'allow' | 'ask' | 'deny'
  /** Its reach; null when nobody can say. */
  grade: Grade | null
  reasons: readonly string[]
  /** More about some of the reasons: their parts, and real places. */
  causes?: readonly AskCause[] | undefined
  /** The command without its wrappers, as it would really act. */
  effective: string
  /** Files that somebody has to look at first; while there are any, the verdict is only for now. */
  looks: readonly Look[]
  /** The names whose meaning in the shell it depends on. */
  names: readonly string[]
  /** The rule that a yes can make; null where no rule may be made. */
  offer: RuleDraft | null
  /** The settings of the shell that a yes can take as they are, where they are all it asks for. */
  settings?: readonly ShellSetting[]
  /** The rules without which it would ask for more. */
  rules: readonly RuleId[]
}

/** Told to a model in the mode Never run. */
export const neverRuns =
  'this session is in the mode Never run, in which no command of yours runs; the user can choose another mode'

const maxBytes = 64 * 1024

/** Judges a model's command. Pure: what it has to know of files it asks for in `looks`. */
export function judge(command: string, given: Facts): Verdict {
  const { organisation = null, live } = given
  const facts = { ...given, approval: boundMode(given.approval, organisation) }
  const found = effectsOf(command, facts)
  const { looks, names, denial } = found
  const aliases = live?.state.aliases
  const effects = [...found.effects, ...ordered(command, organisation, aliases)]
  const { left: asked, used } = askedFor(effects, facts)
  const base = {
    grade: gravest(effects),
    causes: causesOf(command, asked.length > 0 ? asked : effects),
    effective: effectiveCommand(command),
    looks,
    names,
    offer: null,
    rules: used.map(({ id }) => id),
  }
  // Nothing that anybody said or kept stands above it.
  const never = forbidden(command, organisation, aliases)
  if (never.length > 0) return { ...base, decision: 'deny', reasons: never }
  if (denial !== null) return { ...base, decision: 'deny', reasons: [denial], grade: null }
  if (facts.approval === 'refuse') return { ...base, decision: 'deny', reasons: [neverRuns] }
  return decided(base, facts, { effects, asked, used })
}

interface Weighed {
  effects: readonly Effect[]
  asked: readonly Effect[]
  used: readonly Rule[]
}

function decided(
  base: Omit<Verdict, 'decision' | 'reasons'>,
  { approval, isTrusted, workspace }: Facts,
  { effects, asked, used }: Weighed,
): Verdict {
  const asksAll = approval === 'ask-all'
  const why = new Set((asked.length > 0 ? asked : effects).map(({ reason }) => reason))
  const ruled = asked.length > 0 ? [] : used.map(({ words }) => `a rule: ${words}`)
  const reasons = [...why, ...ruled]
  if (asked.length === 0 && !asksAll)
    return { ...base, decision: 'allow', reasons: reasons.length > 0 ? reasons : ['it only reads'] }
  const said = reasons.length > 0 ? reasons : ['this session asks before every command']
  const offer = base.grade === 'destroys' || asksAll ? null : draftRule(asked, workspace)
  const settings = asksAll ? null : acceptable(asked, { workspace, isTrusted })
  return { ...base, decision: 'ask', reasons: said, offer, ...(settings && { settings }) }
}

/** The effects that nobody has said yes to, and the rules that say yes to others; none does where one is hard to undo. */
function askedFor(
  effects: readonly Effect[],
  facts: Facts,
): { left: readonly Effect[]; used: readonly Rule[] } {
  const { approval, rules = [], workspace } = facts
  const left = effects.filter(({ kind }) => !runsUnasked(kind, facts))
  const isRuled = approval === 'guarded' || approval === 'trusted-session'
  if (!isRuled || gravest(effects) === 'destroys') return { left, used: [] }
  return withoutRuled(left, { rules, folder: workspace })
}

/** Says whether an effect runs unasked in the mode of the session. */
function runsUnasked(kind: EffectKind, { approval, isTrusted }: Facts): boolean {
  if (kind === 'read' || kind === 'create') return true
  if (!isTrusted) return false
  const isWider = approval === 'trusted-session' && (kind === 'write' || kind === 'minor')
  return kind === 'task' || kind === 'commit' || isWider
}

interface Found {
  effects: readonly Effect[]
  looks: readonly Look[]
  names: readonly string[]
  denial: string | null
}

function effectsOf(command: string, facts: Facts): Found {
  const before = unreadable(command) ?? unjudgeable(facts)
  if (before !== null) return before
  const { shell, cwd, live } = facts
  if (shell === null || shell === 'fish' || cwd === null)
    return early('unclear', 'nobody knows its shell')
  const judging: Judging = { facts, looks: new Map(), names: new Set() }
  const { effects: found, met } = walkOver(command, judging, { shell, cwd })
  const effects = joinFetched(found, { files: true })
  const around = live === null ? [] : shellEffects(command, live, { names: judging.names, effects })
  const looks = [...judging.looks.values()]
  return {
    effects: [
      ...effects,
      ...around,
      ...(met > 1 ? [...afterShift(command, effects, judging.names), ...changesTask(effects)] : []),
    ],
    looks,
    names: [...judging.names],
    denial: null,
  }
}

/** Programs that use no file of the work tree, whatever happened to it. */
const unaffected = new Set(['git', 'echo', 'printf', 'true', 'pwd'])

/** Files were looked at as they are, and a part of the command puts others in their places before the next one uses them. */
function afterShift(
  command: string,
  effects: readonly Effect[],
  names: ReadonlySet<string>,
): readonly Effect[] {
  const shifting = effects.filter(({ shifts }) => shifts === true)
  // A part alone may write as well as shift: nothing before it did.
  const alone = new Set(shifting.map(({ source }) => source)).size === 1 ? shifting[0]?.source : ''
  const isOnce = alone !== undefined && command.indexOf(alone) === command.lastIndexOf(alone)
  const own = isOnce ? alone.split(' ', 1)[0] : undefined
  const isPlain =
    [...names].every((name) => unaffected.has(name) || name === own) &&
    effects.every(
      ({ shifts, kind, source }) => shifts === true || kind === 'commit' || source === alone,
    )
  return isPlain || !effects.some(({ shifts }) => shifts)
    ? []
    : [effect('unclear', 'puts other files in their place before it uses them')]
}

/** The files of a task were looked at before the command, a part of which changes them. */
function changesTask(effects: readonly Effect[]): readonly Effect[] {
  const changed = effects
    .flatMap(({ kind, targets = [] }) => (kind === 'write' || kind === 'create' ? targets : []))
    .find((path) => isTaskFile(path.slice(path.lastIndexOf('/') + 1)))
  return changed !== undefined && effects.some(({ kind }) => kind === 'task')
    ? [effect('code', 'changes a file that says what its task does', [changed])]
    : []
}

function early(kind: EffectKind, reason: string): Found {
  return { effects: [effect(kind, reason)], looks: [], names: [], denial: null }
}

/** A text that nobody can see as it is. */
function unreadable(command: string): Found | null {
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(command))
    return {
      effects: [],
      looks: [],
      names: [],
      denial: 'it has control characters that a terminal would act on',
    }
  if (/[\p{Cf}\p{Co}\p{Cs}\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u.test(command))
    return early('unclear', 'it has characters that cannot be seen')
  const isLong = utf8Bytes(command) > maxBytes || / {81}/.test(command)
  return isLong ? early('unclear', 'it is too long to read') : null
}

/** A shell in which every command asks. */
function unjudgeable({ adopted, shell, cwd, workspace }: Facts): Found | null {
  if (typeof adopted === 'string')
    return early('unclear', `it runs in an adopted shell: ${adopted}`)
  if (shell === 'fish')
    return early('unclear', 'in fish every command asks: any name may be a function')
  if (shell === null) return early('unclear', 'nobody knows in which shell it would run')
  if (cwd !== null && isWithin(cwd, workspace)) return null
  return early('outside', `the shell is outside the workspace, in ${cwd ?? 'an unknown folder'}`)
}

function walkOver(
  command: string,
  judging: Judging,
  { shell, cwd }: { shell: 'bash' | 'zsh'; cwd: string },
): { effects: readonly Effect[]; met: number } {
  // zsh knows no comments at its prompt unless it was told to: what follows would run.
  if (/[;&|()]#/.test(command) || (shell === 'zsh' && /(?:^|\s)#/.test(command)))
    return nothingMet('it has a comment that may be none')
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(command)) return nothingMet('it is no complete command')
  const parsed = parse(command)
  if (parsed.commands.length === 0) return nothingMet('it is no command')
  const walk: Walk = {
    judges: {
      simple: createCommandJudge(judging, () => walk).simple,
      redirect: (redirection, place) => judgeRedirect(judging, redirection, place),
    },
    source: command,
    enter: walkScript,
    met: { commands: 0 },
  }
  const { home } = judging.facts
  const place: Place = {
    shell,
    home,
    loops: new Map(),
    cwds: [cwd],
    depth: 0,
    isPiped: false,
    before: [],
  }
  const { effects } = walkScript(walk, parsed, place)
  return { effects, met: walk.met.commands }
}

function nothingMet(why: string) {
  return { effects: [effect('unclear', why)], met: 0 }
}
