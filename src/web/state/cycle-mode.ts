import type { OpenSession } from '../../client/session/session.ts'
import { type ApprovalMode, modeWords } from '../../protocol/events/approval-mode.ts'
import type { SessionId } from '../../protocol/events/seq.ts'
import { modesAfter } from '../../view/words/mode.ts'
import { announce } from './toasts.ts'

/** One press after the other, each from where the one before it led. */
let walk: Promise<void> = Promise.resolve()
/** The last step: the answer to it may be here before the session tells of it. */
let last: { id: SessionId; from: ApprovalMode; to: ApprovalMode } | null = null

/** The next mode that can be had; the server's words say why one cannot. */
export function cycleMode({ id, snapshot, update }: OpenSession): void {
  walk = walk.then(async () => {
    const seen = snapshot.get().view.state.approval
    const now = last?.id === id && last.from === seen ? last.to : seen
    last = null
    for (const mode of modesAfter(now)) {
      if (!(await update({ approval: mode }))) continue
      last = { id, from: seen, to: mode }
      announce(`${modeWords[mode].name}: ${modeWords[mode].about}`)
      return
    }
  })
}
