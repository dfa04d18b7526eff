import { modeName, modeWords } from '../../protocol/events/approval-mode.ts'
import type { SessionView } from '../../protocol/http/session-view.ts'
import type { Task } from '../../protocol/http/team.ts'
import { money, shortCount } from '../../protocol/amounts.ts'
import { spentIn } from '../../log/meter.ts'
import { pricesChecked } from '../model/prices.ts'
import { organisationFile, readOrganisation } from '../policy/organisation-file.ts'
import { type EdgeAnswer, type EdgeSession, told } from './edge-answer.ts'
import { reposText } from './repo.ts'

/** `/status`: where the session and its team stand. */
export async function statusCommand(session: EdgeSession): Promise<EdgeAnswer> {
  const { model, teams, trust } = session
  const view = session.view()
  const trusted = (await trust.isTrusted(view.workspace)) ? 'trusted' : 'not trusted: /trust'
  const lines = [
    `session   ${view.title ?? view.id}`,
    `folder    ${view.workspace} (${trusted})`,
    `model     ${model()}`,
    `approval  ${modeName(view.approval)}: ${modeWords[view.approval].about}`,
    ...(await organisationLines()),
    `private   ${view.private ? 'yes: the model sees nothing of what you run' : 'no'}`,
    `shell     ${view.shell === null ? 'not running' : `running, in ${view.shell.cwd}`}`,
    `turn      ${turnText(view)}`,
    `queue     ${queueText(view)}`,
    ...usageLines(view),
    '',
    `team      ${view.team}`,
    ...under('repos', reposText(view.team, await teams.seenRepos(view.team)).split('\n')),
    `tasks     ${tasksText(teams.tasks(view.team))}`,
  ]
  return told(lines.join('\n'))
}

/** Tokens as the provider counted them, and money where it is known; nothing before there is any. */
function usageLines({ meter }: SessionView): readonly string[] {
  if (meter === undefined || meter.spent.length === 0) return []
  const { context, size } = meter
  const { usage, usd, unpriced } = spentIn(meter)
  const cost = usd === null ? 'no price known' : money(usd, { isPartial: unpriced > 0 })
  const { input, output, cacheRead } = usage
  const full = size === null ? '' : ` of ${shortCount(size)}`
  return [
    ...(context === null ? [] : [`context   ${shortCount(context)}${full} tokens`]),
    `used      ${shortCount(input)} in, ${shortCount(output)} out, ${shortCount(cacheRead)} cached; ${cost}`,
    ...(usd === null ? [] : [`prices    of ${pricesChecked}, unless config.json names others`]),
  ]
}

/** The rules of an organisation, where there are any. */
async function organisationLines(): Promise<readonly string[]> {
  const { organisation, problem } = await readOrganisation()
  if (problem !== null) return [`rules     ${problem}`]
  if (organisation === null) return []
  const { deny = [], ask = [], maxMode } = organisation
  const most = maxMode === undefined ? '' : `, at most ${modeName(maxMode.mode)}`
  return [`rules     ${organisationFile}: ${deny.length} deny, ${ask.length} ask${most}`]
}

/** Several lines under one name. */
function under(name: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${(index === 0 ? name : '').padEnd(10)}${line}`)
}

function turnText({ open }: SessionView): string {
  const parts = [
    open.turn === null ? 'the model is idle' : 'the model is at work',
    ...counted(open.runs.length, 'command runs', 'commands run'),
    ...counted(open.asks.length, 'question waits', 'questions wait'),
  ]
  return parts.join(', ')
}

function queueText({ open }: SessionView): string {
  const running = new Set(open.runs.map(({ request }) => request))
  const commands = open.calls.filter(({ run, seq }) => run !== undefined && !running.has(seq))
  const parts = [
    ...counted(open.queue.length, 'prompt', 'prompts'),
    ...counted(commands.length, 'command', 'commands'),
  ]
  return parts.length === 0 ? 'empty' : parts.join(', ')
}

function counted(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
}

const states = ['open', 'assigned', 'review', 'done'] as const

function tasksText(tasks: readonly Task[]): string {
  const count = (state: Task['status']) => tasks.filter(({ status }) => status === state).length
  return tasks.length === 0
    ? 'none'
    : states
        .map((state) => `${count(state)} ${state === 'review' ? 'in review' : state}`)
        .join(', ')
}
