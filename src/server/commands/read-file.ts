import { realpath } from 'node:fs/promises'
import type { ToolRequest } from '../../protocol/call.ts'
import type { SessionId } from '../../protocol/seq.ts'
import { readMentioned } from '../mentions/read.ts'
import type { EventStore } from '../store/store.ts'
import { type EdgeAnswer, failed } from './edge-answer.ts'

export interface ReadFileDeps {
  store: EventStore
  session: SessionId
  workspace: string
  /** The media types that the model takes which would be asked now. */
  images(): readonly string[]
}

/** Reads what a prompt mentions; pictures are kept in the store. */
export function readFileCommand({
  store,
  session,
  workspace,
  images,
}: ReadFileDeps): (call: ToolRequest) => Promise<EdgeAnswer> {
  return async ({ read }) => {
    if (read === undefined) return failed('No file is named.')
    return readMentioned(read, {
      workspace: await realpath(workspace).catch(() => workspace),
      images: images(),
      kept: () => store.blobs(session),
      saveBlob: (bytes, mediaType) => store.saveBlob(session, { bytes, mediaType }),
    })
  }
}
