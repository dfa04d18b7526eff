import type { ToolRequest } from '../../protocol/events/call.ts'
import { failedRead } from '../mentions/read.ts'
import { type EdgeAnswer, type EdgeSession, failed } from './edge-answer.ts'

/** Reads what a prompt mentions; pictures are kept in the store. */
export async function readFileCommand(
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
