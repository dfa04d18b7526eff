import { type ApprovalMode, modeWords } from '../../protocol/events/approval-mode.ts'

/** A mode as a menu offers it. */
export interface OfferedMode {
  mode: ApprovalMode
  name: string
  about: string
}

const offered: readonly ApprovalMode[] = ['ask-all', 'guarded', 'trusted-session', 'refuse']

/** All modes, in the order in which a key walks through them. */
export const offeredModes: readonly OfferedMode[] = offered.map((mode) => ({
  mode,
  ...modeWords[mode],
}))

/** The modes that a key tries after one, in their order, round and round. */
export function modesAfter(now: ApprovalMode): readonly ApprovalMode[] {
  const at = offered.indexOf(now)
  return [...offered.slice(at + 1), ...offered.slice(0, at)]
}
