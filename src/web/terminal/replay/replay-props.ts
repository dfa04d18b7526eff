import type { Client } from '../../../client/connect.ts'
import type { At, SessionId } from '../../../protocol/seq.ts'
import type { ThemeName } from '../palette.ts'

export interface ReplayProps {
  session: SessionId
  client: Pick<Client, 'document'>
  theme: ThemeName
  /** Where runs began; `runMarks` makes them of a view. */
  marks?: readonly At[]
  /** The time that is shown: the chat shows its entries up to there. */
  onTime: (at: At) => void
  onClose: () => void
}
