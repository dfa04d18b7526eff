import type { Kept } from '../../../protocol/holder.ts'
import type { Told } from '../../../terminal/effect.ts'
import { missingBytes } from '../byte-log-reader.ts'
import type { HolderClient } from '../holder-client.ts'
import type { LevelReport, ShellEnd, TypedReport } from '../terminal.ts'

export interface TellerDeps {
  generation: number
  client: Pick<HolderClient, 'acknowledge' | 'sync'>
  /** The byte log's folder. */
  folder: string
  kept(): Kept
  onEnd(end: ShellEnd): void
  onTyped(report: TypedReport): Promise<void>
  onLevel(report: LevelReport): Promise<void>
}

/** Tells the session what the terminal says unasked; what is on disk the holder may forget. */
export function createTeller(deps: TellerDeps): { tell(told: Told): Promise<void> } {
  const { generation, client, folder, kept } = deps

  async function omittedOf(from: number, to: number): Promise<number> {
    if (from >= (kept().missingBefore ?? Number.POSITIVE_INFINITY)) return 0
    await client.sync()
    return missingBytes(folder, { from, to })
  }

  async function tell(told: Told): Promise<void> {
    switch (told.type) {
      case 'typed-ended': {
        const { seq, level, ...ended } = told
        const omitted = await omittedOf(told.ptyFrom, told.ptyTo)
        await deps.onTyped({ ...ended, generation, omitted })
        // The end mark itself stays: it says where the shell is.
        return client.acknowledge(seq - 1, level)
      }
      case 'typed-started':
      case 'typed-over':
        return deps.onTyped({ ...told, generation })
      case 'shell-adopted':
      case 'shell-left':
        return deps.onLevel({ ...told, generation })
      case 'shell-ended': {
        const { type: _, ...end } = told
        return deps.onEnd({ ...end, generation })
      }
      default:
        return told satisfies never
    }
  }

  return { tell }
}
