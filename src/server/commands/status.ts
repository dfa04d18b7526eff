import type { ToolRequest } from '../../protocol/call.ts'
import type { SessionView } from '../../protocol/session-view.ts'
import type { Task } from '../../protocol/team.ts'
import type { Teams } from '../teams/teams.ts'
import type { Trust } from '../trust.ts'
import { type EdgeAnswer, told } from './edge-answer.ts'
import { reposText } from './repo.ts'

export interface StatusCommandDeps {
  view(): SessionView
  /** The model that would be asked now. */
  model(): string
  teams: Teams
  trust: Trust
}

/** `/status`: where the session and its team stand. */
export function statusCommand(deps: StatusCommandDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async () => told(await statusText(deps))
}

async function statusText({ view: look, model, teams, trust }: StatusCommandDeps): Promise<string> {
  const view = look()
  const trusted = (await trust.isTrusted(view.workspace)) ? 'trusted' : 'not trusted: /trust'
  return [
    `session   ${view.title ?? view.id}`,
    `folder    ${view.workspace} (${trusted})`,
    `model     ${model()}`,
    `approval  ${view.approval}`,
    `private   ${view.private ? 'yes: the model sees nothing of what you run' : 'no'}`,
    `shell     ${view.shell === null ? 'not running' : `running, in ${view.shell.cwd}`}`,
    `turn      ${turnText(view)}`,
    `queue     ${queueText(view)}`,
    '',
    `team      ${view.team}`,
    ...under('repos', reposText(view.team, await teams.seenRepos(view.team)).split('\n')),
    `tasks     ${tasksText(teams.tasks(view.team))}`,
  ].join('\n')
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
