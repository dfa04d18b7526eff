import type { ToolRequest } from '../protocol/events/call.ts'
import type { Seq } from '../protocol/events/seq.ts'

/** The commands of the same reply that wait behind one of its commands: its calls are done in order. */
export function restOfReply(open: readonly ToolRequest[], call: Seq): readonly string[] {
  const asked = open.find(({ seq }) => seq === call)
  if (!asked?.run || asked.step === null) return []
  return open.flatMap((request) =>
    request.step === asked.step && request.seq > call && request.run ? [request.run.command] : [],
  )
}
