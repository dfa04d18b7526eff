import { dirname, join } from 'node:path'
import { explain, explainPlace } from '../../server/policy/explain/explain.ts'
import { createLineExplainer, type Explained } from '../../server/policy/explain/explain-lines.ts'
import { readOrganisation } from '../../server/policy/organisation-file.ts'
import { folderProblem } from '../../server/process/data-folder.ts'
import { printableLine } from '../../view/text/hidden-characters.ts'
import { gradeWords } from '../../view/words/ask.ts'
import type { Json } from '../act.ts'
import { CliError, exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { readLines } from '../text/read-lines.ts'

const decisions = { allow: 'Runs unasked', ask: 'Asks first', deny: 'Is refused' } as const

export interface ExplainFlags extends Json {
  jsonl?: boolean
  shell?: string
  trust?: boolean
}

/** `tandem explain`: whether a model's command would run here unasked, and why not. Nothing of it runs. */
export async function explainCommand(
  io: Io,
  command: string | undefined,
  { json, jsonl, shell, trust }: ExplainFlags,
): Promise<number> {
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
  const { decision, grade, reasons, effective } = await explain(command, options)
  if (json) io.out(`${JSON.stringify({ command, decision, grade, reasons, effective })}\n`)
  else
    io.out(
      [
        `${decisions[decision]}: ${printableLine(command)}`,
        ...(effective === command ? [] : [`  which runs: ${printableLine(effective)}`]),
        ...(grade === null ? [] : [`  effect: ${gradeWords[grade]}`]),
        ...reasons.map((reason) => `  because: ${printableLine(reason)}`),
        '',
      ].join('\n'),
    )
  return decision === 'allow' ? exitCode.ok : exitCode.approval
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
