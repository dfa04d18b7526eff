import type { ToolRequest } from '../../protocol/events/call.ts'
import type { ModelInfo } from '../../protocol/http/server-routes.ts'
import { cacheOf, cacheText } from '../pages/session-pages.ts'
import { type EdgeAnswer, type EdgeCommand, type EdgeSession, failed, told } from './edge-answer.ts'
import { approvalCommand } from './approval.ts'
import { exportCommand } from './export.ts'
import { failedRead } from '../mentions/read.ts'
import { repoCommand } from './repo.ts'
import { activateSkillCommand, skillsCommand } from './skills.ts'
import { statusCommand } from './status.ts'
import { approveTaskCommand, assignCommand, taskCommand } from './task.ts'
import { trustCommand } from './trust.ts'

const byName = new Map<string, EdgeCommand>([
  ['cache', async ({ store, id }) => told(cacheText(await cacheOf(store, id)))],
  ['models', async ({ models }) => told((await models.list()).map(modelLine).join('\n'))],
  ['adopt', adoptCommand],
  ['status', statusCommand],
  ['repo', repoCommand],
  ['task', taskCommand],
  ['assign', assignCommand],
  ['approve_task', approveTaskCommand],
  ['trust', trustCommand],
  ['approval', approvalCommand],
  ['skills', skillsCommand],
  ['activate_skill', activateSkillCommand],
  ['read_file', readFileCommand],
  ['export', exportCommand],
])

export async function runEdgeCommand(session: EdgeSession, call: ToolRequest): Promise<EdgeAnswer> {
  const command = byName.get(call.name)
  return command ? command(session, call) : failed(`This server cannot do "${call.name}".`)
}

/** `/adopt`: the model reads of it in a record of its own. */
async function adoptCommand({ adopt }: EdgeSession): Promise<EdgeAnswer> {
  const adopted = await adopt()
  if (!adopted.ok) return failed(adopted.error)
  const { shell, place, cwd } = adopted.value
  return told(`Commands run in ${shell} of ${place} now, in ${cwd}, until it ends.`)
}

/** Reads what a prompt mentions; pictures are kept in the store. */
async function readFileCommand(
  { store, id, workspace, models, model, look }: EdgeSession,
  { read }: ToolRequest,
): Promise<EdgeAnswer> {
  if (read === undefined) return failed('No file is named.')
  const looked = await look(read.kind === 'folder' ? 'readFolder' : 'read', {
    read,
    workspace,
    images: models.keep(model()).images ?? [],
    kept: await store.blobs(id),
  })
  if (!looked.ok) return failedRead(read, looked.error)
  const { answer, blobs } = looked.value
  for (const { bytes, mediaType } of blobs)
    await store.saveBlob(id, { bytes: Buffer.from(bytes, 'base64'), mediaType })
  return answer
}

const shown = 8

function modelLine({ label, reachable, problem, models }: ModelInfo): string {
  if (!reachable) return `- ${label}: ${problem ?? 'It cannot be used.'}`
  const more = models.length > shown ? `, and ${models.length - shown} more` : ''
  return `- ${label}: ${models.slice(0, shown).join(', ') || 'it names no models'}${more}`
}
