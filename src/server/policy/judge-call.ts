import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { termsOf } from '../../log/open.ts'
import type { Rule } from '../../protocol/events/rule.ts'
import type { SessionState } from '../../log/state.ts'
import type { World } from '../../session/catalogue.ts'
import type { Effect } from '../../session/due.ts'
import { factsOf } from '../../session/policy/facts-of.ts'
import type { LiveShell } from '../../session/policy/facts.ts'
import { fingerprintFor } from '../../session/policy/live/fingerprint.ts'
import { withSettings } from '../../session/policy/live/accept.ts'
import type { Verdict } from '../../session/policy/verdict.ts'
import type { Judged } from '../../session/record/report.ts'
import type { PulledState } from '../terminal/shell/ask-state.ts'
import { judgeNow } from './judge-now.ts'
import { areOwnFolders } from './own-folders.ts'
import type { SessionTasks } from './session-tasks.ts'

export interface JudgeDeps {
  state(): SessionState
  world(): Promise<World>
  liveState(names: readonly string[]): Promise<PulledState | null>
  stamp(): number | null
  /** The shell that a one-shot run would have. */
  oneShotShell(cwd: string, names: readonly string[]): Promise<LiveShell | null>
  /** The shell's folder, as its last prompt said. */
  cwd(): string | null
  /** Resolves when the session knows all that the terminal has heard so far. */
  reported(): Promise<void>
  /** The standing yeses for a workspace. */
  folderRules(folder: string): readonly Rule[]
  tasks: SessionTasks
}

/** Judges a call in the shell as it is now; the verdict counts only for the mark that was the last when it began. */
export async function judgeCall(
  effect: Effect & { type: 'judge' },
  deps: JudgeDeps,
): Promise<Judged> {
  return effect.call.run?.lane === 'background'
    ? judgeOneShot(effect, deps)
    : judgeInTerminal(effect, deps)
}

/** A run beside the terminal has a shell of its own, as it is when it starts. */
async function judgeOneShot(
  { call, command, stamp }: Effect & { type: 'judge' },
  deps: JudgeDeps,
): Promise<Judged> {
  const world = await deps.world()
  const state = deps.state()
  const known = factsOf(state, world)
  const workspace = await realpath(known.workspace).catch(() => known.workspace)
  const facts = withFolderRules(known, deps.folderRules(workspace))
  const cwd = await realpath(call.run?.cwd ?? workspace).catch(() => null)
  await deps.tasks.begin(workspace, facts.since ?? 0, openCalls(state))
  const place = { workspace, cwd, shell: 'bash', adopted: null } as const
  const verdict = await judgeNow(
    command,
    { ...facts, ...place, watch: deps.tasks.watch(call.seq) },
    (names) => deps.oneShotShell(cwd ?? workspace, names),
  )
  deps.tasks.judged(call.seq, verdict)
  const terms = termsOf(state)
  return { type: 'judged', call: call.seq, verdict, cwd: call.run?.cwd ?? null, stamp, terms }
}

async function judgeInTerminal(
  { call, command, stamp }: Effect & { type: 'judge' },
  deps: JudgeDeps,
): Promise<Judged> {
  const world = await deps.world()
  // The session's word on folder and shell is as old as this mark, or newer: never older.
  const mark = deps.stamp()
  await deps.reported()
  const state = deps.state()
  const known = factsOf(state, world)
  const workspace = await realpath(known.workspace).catch(() => known.workspace)
  const facts = withFolderRules(known, deps.folderRules(workspace))
  const cwd = facts.cwd && (await realpath(facts.cwd).catch(() => null))
  await deps.tasks.begin(workspace, facts.since ?? 0, openCalls(state))
  let seen = deps.cwd() ?? state.shell.cwd
  let hasChanged = seen !== state.shell.cwd
  let last: PulledState | null = null
  const watched = { ...facts, watch: deps.tasks.watch(call.seq), workspace, cwd }
  const verdict = await judgeNow(command, watched, async (names) => {
    const pulled = await deps.liveState(names)
    last = pulled
    if (pulled === null) return null
    hasChanged ||= pulled.stamp !== mark || pulled.state.cwd !== cwd
    // A trap of the person's may have printed into the answer.
    if (pulled.state.cwd !== cwd && isAbsolute(pulled.state.cwd)) seen = pulled.state.cwd
    // A person took these for this shell as they are; what is otherwise since asks again.
    return { ...pulled, baseline: withSettings(pulled.baseline, state.settings) }
  })
  deps.tasks.judged(call.seq, verdict)
  return {
    type: 'judged',
    call: call.seq,
    // Asked at another moment, the shell may be another than the one that the session speaks of.
    verdict: hasChanged ? asking(verdict) : await withOwnFolders(verdict),
    cwd: seen,
    stamp,
    terms: termsOf(state),
    ...(mark !== null && { mark }),
    ...(!hasChanged && fingerprintOf(last, verdict.names, state.shell)),
  }
}

const openCalls = ({ calls }: SessionState) => calls.map(({ request }) => request.seq)

function withFolderRules(facts: ReturnType<typeof factsOf>, rules: readonly Rule[]) {
  return { ...facts, rules: [...(facts.rules ?? []), ...rules] }
}

/** A folder of PATH into which others can put programs is never taken as it is. */
async function withOwnFolders({ settings, ...verdict }: Verdict): Promise<Verdict> {
  if (settings === undefined) return verdict
  const added = settings.flatMap((setting) => (setting.of === 'path' ? setting.added : []))
  const folders = added.filter((folder) => folder !== null)
  return (await areOwnFolders(folders)) ? { ...verdict, settings } : verdict
}

function asking(verdict: Verdict): Verdict {
  if (verdict.decision === 'deny') return verdict
  const { settings: _, ...rest } = verdict
  const reasons = [...(verdict.decision === 'ask' ? verdict.reasons : []), changed]
  return { ...rest, decision: 'ask', reasons, offer: null }
}

const changed = 'the shell changed while this was judged'

/** Another shell is another state, also where all that it says of itself is the same. */
function fingerprintOf(
  pulled: PulledState | null,
  names: readonly string[],
  { generation }: SessionState['shell'],
): Pick<Judged, 'fingerprint'> {
  if (pulled === null) return {}
  return { fingerprint: `${generation}:${fingerprintFor(pulled.fingerprint, names)}` }
}
