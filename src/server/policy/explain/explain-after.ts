import { dirname, join } from 'node:path'
import process from 'node:process'
import type { Verdict } from '../../../session/policy/verdict.ts'
import type { ExplainPlace } from './explain.ts'
import { InsideAnswer, type InsideRequest } from './explain-inside.ts'
import { inOwnWorld } from './own-world.ts'
import { type ModedCommand, withoutShell } from './verdicts-after.ts'

type Explained = Pick<Verdict, 'decision' | 'grade' | 'reasons' | 'effective' | 'causes'>

const unavailable =
  'the commands before it did not run: this machine gives them no files of their own to change'
const failed = 'the commands before it did not leave a shell that could be asked'

/**
 * Explains commands after others have run, in a process that sees every file as it is now and can change none for
 * anybody else. Where the machine does not let us, nothing runs, and every command asks.
 */
export function createAfterExplainer(place: ExplainPlace) {
  let isPossible = true

  async function explainAfter(
    pre: readonly string[],
    commands: readonly ModedCommand[],
  ): Promise<readonly Explained[]> {
    const refused = (why: string) =>
      commands.map((each) => {
        const verdict = withoutShell(each, place)
        return verdict.decision === 'ask' ? { ...verdict, reasons: [why], causes: [] } : verdict
      })
    if (!isPossible) return refused(unavailable)
    const answer = await inOwnWorld(insideProgram(place), {
      input: JSON.stringify(requestOf(pre, commands, place)),
      folder: place.workspace,
    })
    if (answer.is === 'unavailable') isPossible = false
    if (answer.is !== 'said') return refused(answer.is === 'failed' ? failed : unavailable)
    return InsideAnswer.parse(JSON.parse(answer.text))
  }

  return explainAfter
}

/** This program once more, which explains where it is. */
function insideProgram({ holderEntry }: ExplainPlace): readonly string[] {
  return [process.execPath, join(dirname(holderEntry), 'cli.js'), 'explain', '--inside']
}

function requestOf(
  pre: readonly string[],
  commands: readonly ModedCommand[],
  { config, workspace, isTrusted, rules, organisation, holderEntry }: ExplainPlace,
): InsideRequest {
  const { shell, shellEnv, startMs, processLimits } = config
  return {
    pre: [...pre],
    commands: [...commands],
    place: {
      config: { shell, shellEnv, startMs, processLimits },
      workspace,
      isTrusted,
      rules: [...rules],
      organisation,
      holderEntry,
    },
  }
}
