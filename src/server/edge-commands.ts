import type { ToolRequest } from '../protocol/call.ts'
import type { SessionId } from '../protocol/seq.ts'
import type { SessionView } from '../protocol/session-view.ts'
import type { World } from '../session/catalogue.ts'
import { cacheOf, cacheText } from './cache-report.ts'
import { activateSkillCommand } from './commands/activate-skill.ts'
import { adoptCommand } from './commands/adopt.ts'
import { approveTaskCommand } from './commands/approve-task.ts'
import { assignCommand } from './commands/assign.ts'
import { type EdgeAnswer, failed, told } from './commands/edge-answer.ts'
import { exportCommand } from './commands/export.ts'
import { readFileCommand } from './commands/read-file.ts'
import { repoCommand } from './commands/repo.ts'
import { skillsCommand } from './commands/skills.ts'
import { statusCommand } from './commands/status.ts'
import { taskCommand } from './commands/task.ts'
import { trustCommand } from './commands/trust.ts'
import type { SessionHost } from './host.ts'
import type { LookAt } from './looker/ops.ts'
import type { Models } from './model/models.ts'
import { modelsText } from './models-text.ts'
import type { EventStore } from './store/store.ts'
import type { Teams } from './teams/teams.ts'
import type { Terminal } from './terminal/terminal.ts'
import type { Trust } from './trust.ts'

/** Does what a command asks of the world outside the session. */
export type EdgeCommands = (call: ToolRequest) => Promise<EdgeAnswer>

export interface EdgeCommandsDeps {
  store: EventStore
  models: Models
  teams: Teams
  trust: Trust
  look: LookAt
}

/** What a command may know of the session it belongs to. */
export interface EdgeSession {
  id: SessionId
  team: string
  workspace: string
  view(): SessionView
  /** The model that would be asked now. */
  model(): string
  world(): Promise<World>
  export: SessionHost['export']
  adopt: Terminal['adopt']
}

export function createEdgeCommands(deps: EdgeCommandsDeps, session: EdgeSession): EdgeCommands {
  const { store, models, teams, trust, look } = deps
  const { id, team, workspace, view, model } = session
  const skills = async () => (await session.world()).skills
  const images = () => models.keep(model()).images ?? []
  const byName = new Map<string, EdgeCommands>([
    ['cache', async () => told(cacheText(await cacheOf(store, id)))],
    ['models', async () => told(modelsText(await models.list()))],
    ['adopt', adoptCommand(session)],
    ['status', statusCommand({ view, model, teams, trust })],
    ['repo', repoCommand({ teams, team, workspace })],
    ['task', taskCommand({ teams, team })],
    ['assign', assignCommand({ teams, team })],
    ['approve_task', approveTaskCommand({ teams, team })],
    ['trust', trustCommand({ trust, workspace, skills })],
    ['skills', skillsCommand({ workspace, world: session.world })],
    ['activate_skill', activateSkillCommand({ skills })],
    ['read_file', readFileCommand({ store, session: id, workspace, images, look })],
    ['export', exportCommand({ id, workspace, export: session.export })],
  ])
  return async (call) => {
    const command = byName.get(call.name)
    return command ? command(call) : failed(`This server cannot do "${call.name}".`)
  }
}
