import { dirname, join } from 'node:path'
import { modeName } from '../../protocol/events/approval-mode.ts'
import { explain, type ExplainPlace, explainPlace } from '../../server/policy/explain/explain.ts'
import { explainInside } from '../../server/policy/explain/explain-inside.ts'
import {
  createLineExplainer,
  type Explained,
  explained,
} from '../../server/policy/explain/explain-lines.ts'
import { readOrganisation } from '../../server/policy/organisation-file.ts'
import { folderProblem } from '../../server/process/data-folder.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'
import type { Verdict } from '../../session/policy/verdict.ts'
import { gradeWords, causeLine } from '../../view/words/ask.ts'
import { widerYes } from '../../view/words/wider-yes.ts'
import type { Json } from '../act.ts'
import { CliError, exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { readLines } from '../text/read-lines.ts'

const decisions = { allow: 'Runs unasked', ask: 'Asks first', deny: 'Is refused' } as const

export interface ExplainFlags extends Json {
  jsonl?: boolean
  /** This process has all files for itself, and explains one group of lines. */
  inside?: boolean
  shell?: string
  trust?: boolean
}

/** `tandem explain`: whether a model's command would run here unasked, and why not. Nothing of it runs. */
export async function explainCommand(
  io: Io,
  command: string | undefined,
  { json, jsonl, inside, shell, trust }: ExplainFlags,
): Promise<number> {
  if (inside) {
    io.out(await explainInside(await readAll(io.stdin)))
    return exitCode.ok
  }
  const problem = folderProblem(io.home)
  if (problem !== null) throw new CliError(problem, exitCode.config)
  const { problem: warning } = await readOrganisation()
  if (warning !== null) io.note(`tandem: ${printableLine(warning)}`)
  const holderEntry = join(dirname(io.serverEntry), 'holder.js')
  const options = { home: io.home, folder: io.cwd, holderEntry, shell, trust }
  if (jsonl) {
    if (command !== undefined)
      throw new CliError('--jsonl reads its commands from stdin.', exitCode.usage)
    return explainInput(io, createLineExplainer(await explainPlace(options)))
  }
  if (command === undefined || command.trim() === '')
    throw new CliError('there is no command to explain.', exitCode.usage)
  const { verdict, place } = await explain(command, options)
  const { decision } = verdict
  if (json) io.out(`${JSON.stringify(explained(command, verdict))}\n`)
  else io.out(`${described(command, verdict, place).map(printableLine).join('\n')}\n`)
  return decision === 'allow' ? exitCode.ok : exitCode.approval
}

/** The verdict as a question at a terminal shows it, and the mode that it was made in. */
function described(
  command: string,
  { decision, grade, reasons, effective, causes, offer }: Verdict,
  { workspace: cwd, config }: ExplainPlace,
): readonly string[] {
  const asked = { rest: [], ...(grade !== null && { grade }), ...(offer !== null && { offer }) }
  return [
    `${decisions[decision]}: ${command}`,
    ...(effective === command ? [] : [`  which runs: ${effective}`]),
    `  effect: ${gradeWords[grade ?? 'unknown']}`,
    `  in: ${cwd}`,
    `  mode: ${modeName(config.approval)}`,
    ...reasons.flatMap((reason) => {
      const line = causeLine({ command, cwd, causes }, reason)
      return [`  because: ${reason}`, ...(line === null ? [] : [`     ${line}`])]
    }),
    ...widerYes(asked).flatMap(({ title, covers, end }) => [
      `  could be allowed: ${title}. ${end}`,
      ...covers.map((covered) => `     ${covered}`),
    ]),
  ]
}

async function readAll(stdin: Io['stdin']): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** So many lines are asked for at once, and so many may wait for those before them. */
const [linesAtOnce, maxWaiting] = [256, 2_048]

/** A verdict a line, in the order of the lines; 0 when every line got one. */
async function explainInput(
  io: Io,
  explainer: ReturnType<typeof createLineExplainer>,
): Promise<number> {
  let isStopped = false
  const unlisten = io.onStop(() => {
    isStopped = true
    io.stdin.destroy()
  })
  let code: number = exitCode.ok
  let waiting = 0
  let printed: Promise<void> = Promise.resolve()
  const print = (answer: Explained) => {
    waiting -= 1
    if ('error' in answer) code = exitCode.usage
    if (!isStopped) io.out(`${JSON.stringify(answer)}\n`)
  }
  try {
    for await (const lines of readLines(io.stdin, linesAtOnce)) {
      waiting += lines.length
      for (const answer of explainer.explain(lines))
        printed = Promise.all([answer, printed]).then(([said]) => print(said))
      if (waiting > maxWaiting) await printed
    }
    await printed
  } catch (error) {
    if (!isStopped) throw error
  } finally {
    unlisten()
    await explainer.close()
  }
  return isStopped ? exitCode.interrupted : code
}
