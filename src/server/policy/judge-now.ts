import type { Facts, FileFact, LiveShell, Look } from '../../session/policy/facts.ts'
import { judge, type Verdict } from '../../session/policy/verdict.ts'
import { lookAtPath } from './look.ts'
import { isReadBy } from './second-opinion.ts'

/** Each round may lead to files and names that the one before it could not know of; more are not worth it. */
const maxRounds = 8

/** Asks the shell what these names mean; null when it does not say. */
export type AskShell = (names: readonly string[]) => Promise<LiveShell | null>

/** Adds to a fact what the session remembers of files that say what tasks do. */
export type WatchTasks = (look: Look, fact: FileFact) => Promise<FileFact>

type WatchedFacts = Omit<Facts, 'files' | 'live'> & { watch?: WatchTasks }

const asItIs: WatchTasks = async (_look, fact) => fact

/** Judges a command against the shell and the files as they are now; the shell's own reader has to agree. */
export async function judgeNow(
  command: string,
  facts: WatchedFacts,
  ask: AskShell,
): Promise<Verdict> {
  const verdict = await judgeAgainst(command, facts, ask)
  const { shell } = facts
  if (verdict.decision !== 'allow' || shell === null || shell === 'fish') return verdict
  if (await isReadBy(shell, command)) return verdict
  const reasons = [`${shell} itself does not take it for a whole command`]
  return { ...verdict, grade: null, decision: 'ask', reasons }
}

async function judgeAgainst(
  command: string,
  { watch = asItIs, ...facts }: WatchedFacts,
  ask: AskShell,
): Promise<Verdict> {
  const files = new Map<string, FileFact>()
  let live: LiveShell | null = null
  let verdict = judge(command, { ...facts, live, files })
  for (let round = 0; round < maxRounds; round++) {
    const isAsked = live !== null && verdict.names.every((name) => live?.state.asked.has(name))
    if (isAsked && verdict.looks.length === 0) return verdict
    if (!isAsked) live = await ask(verdict.names)
    await Promise.all(
      verdict.looks.map(async (look) => {
        const fact = await watch(look, await lookAtPath(look, facts))
        files.set(look.path, { ...files.get(look.path), ...fact })
      }),
    )
    verdict = judge(command, { ...facts, live, files })
    // Without the shell's word it asks, whatever else there is to see.
    if (live === null && verdict.looks.length === 0) return verdict
  }
  return verdict
}
