import {
  Adopted,
  HolderExit,
  Kept,
  Late,
  Moved,
  Probed,
  Quiet,
  Uninjected,
} from '../../protocol/holder.ts'
import { decodeOffset, frameKind } from '../../protocol/holder-wire.ts'
import type { HolderEvents } from './holder-client.ts'
import type { HolderAnswers } from './holder-requests.ts'
import { decodeMark, readMark } from './read-mark.ts'

/** Hears one frame of a holder's: an answer, or news. */
export function hearFrame(
  events: HolderEvents,
  answer: HolderAnswers,
  frame: { kind: number; payload: Buffer },
) {
  const { kind, payload } = frame
  switch (kind) {
    case frameKind.data:
      return events.onData(decodeOffset(payload), payload.subarray(8))
    case frameKind.mark:
      return hearMark(events, payload)
    case frameKind.exit:
      return events.onExit(HolderExit.parse(readJson(payload)))
    case frameKind.kept:
      return events.onKept(Kept.parse(readJson(payload)))
    case frameKind.uninjected:
      return events.onUninjected(Uninjected.parse(readJson(payload)))
    case frameKind.late:
      return events.onLate?.(Late.parse(readJson(payload)))
    case frameKind.quiet:
      return events.onQuiet?.(Quiet.parse(readJson(payload)))
    case frameKind.synced:
      return answer.synced()
    case frameKind.probed:
      return answer.probed(Probed.parse(readJson(payload)))
    case frameKind.adopted:
      return answer.adopted(Adopted.parse(readJson(payload)))
    case frameKind.moved:
      return answer.moved(Moved.parse(readJson(payload)))
    case frameKind.named:
      return answer.named(Buffer.from(payload))
    default:
      // A newer holder may say more than this server understands.
      return undefined
  }
}

function hearMark(events: HolderEvents, payload: Buffer): void {
  const mark = decodeMark(payload)
  if (mark !== null) events.onMark(readMark(mark))
}

export function readJson(payload: Buffer): unknown {
  return JSON.parse(payload.toString('utf8'))
}
