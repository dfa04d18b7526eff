import { useCallback, useMemo } from 'react'
import type { At } from '../../protocol/seq.ts'
import type { View } from '../../view/view.ts'
import { usePage } from '../state/page.ts'
import { useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { theme } from '../state/theme.ts'
import { runMarks } from '../terminal/replay/marks.ts'
import { Replay } from '../terminal/replay/replay.tsx'

interface ReplaySlotProps {
  view: View
  onTime: (at: At) => void
  onClose: () => void
}

/** A recording tells its start in whole seconds; what began within that second is shown with it. */
const secondMs = 1_000

/** The terminal's recording in the terminal's place. */
export function ReplaySlot({ view, onTime, onClose }: ReplaySlotProps) {
  const { client } = usePage()
  const { id } = useSession()
  const marks = useMemo(() => runMarks(view), [view])
  const onPlace = useCallback((at: At) => onTime(at + secondMs), [onTime])
  return (
    <Replay
      session={id}
      client={client}
      theme={useStore(theme)}
      marks={marks}
      onTime={onPlace}
      onClose={onClose}
    />
  )
}
