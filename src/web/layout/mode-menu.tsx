import { type ApprovalMode, modeWords } from '../../protocol/events/approval-mode.ts'
import { offeredModes } from '../../view/words/mode.ts'
import { Menu } from '../parts/menu.tsx'
import { useSession } from '../state/session.ts'

/** The mode of the session, and all others with what they do. */
export function ModeMenu({ now }: { now: ApprovalMode }) {
  const { update } = useSession()
  const { name } = modeWords[now]
  return (
    <Menu
      label={`Approval: ${name}`}
      words={name}
      items={offeredModes.map((offer) => ({
        label: offer.name,
        about: offer.about,
        isChosen: offer.mode === now,
        act: () => void update({ approval: offer.mode }),
      }))}
    />
  )
}
