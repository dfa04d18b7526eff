import { type ApprovalMode, modeWords } from '../../protocol/events/approval-mode.ts'
import type { Refusal } from '../../protocol/http/refusal.ts'
import { refuse } from '../append.ts'
import type { World } from '../catalogue.ts'
import { modeForbidden } from '../policy/organisation/organisation-rules.ts'

/** The reason why a session cannot be in a mode: it would not do there what it says. */
export function refuseMode(
  mode: ApprovalMode,
  { trusted, organisation = null }: Pick<World, 'trusted' | 'organisation'>,
): Refusal | null {
  const why = modeForbidden(mode, organisation)
  if (why !== null)
    return refuse(
      'bad_mode',
      `The rules of your organisation do not allow “${modeWords[mode].name}”: ${why}`,
    )
  return mode === 'trusted-session' && !trusted
    ? refuse(
        'bad_mode',
        `“${modeWords[mode].name}” needs a folder that you trust, and this one is not trusted. Say /trust first, if you trust what is in it.`,
      )
    : null
}
