import type { ToolRequest } from '../../protocol/call.ts'
import type { SessionId } from '../../protocol/seq.ts'
import type { LookAt } from '../looker/ops.ts'
import { failedRead } from '../mentions/read.ts'
import type { EventStore } from '../store/store.ts'
import { type EdgeAnswer, failed } from './edge-answer.ts'

export interface ReadFileDeps {
  store: EventStore
  session: SessionId
  workspace: string
  /** The media types that the model takes which would be asked now. */
  images(): readonly string[]
  look: LookAt
}

/** Reads what a prompt mentions; pictures are kept in the store. */
export function readFileCommand({
  store,
  session,
  workspace,
  images,
  look,
}: ReadFileDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async ({ read }) => {
    if (read === undefined) return failed('No file is named.')
    const looked = await look(read.kind === 'folder' ? 'readFolder' : 'read', {
      read,
      workspace,
      images: images(),
      kept: await store.blobs(session),
    })
    if (!looked.ok) return failedRead(read, looked.error)
    const { answer, blobs } = looked.value
    for (const { bytes, mediaType } of blobs)
      await store.saveBlob(session, { bytes: Buffer.from(bytes, 'base64'), mediaType })
    return answer
  }
}
