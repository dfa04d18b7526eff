import type { Kept, Probed } from '../../protocol/holder.ts'
import type { ShellName } from '../../protocol/shell.ts'
import type { DrawPart } from './draw-output.ts'
import type { DrawScreen } from './run-sight.ts'
import type { Replaced } from './shell-image.ts'

/** What a run needs of the shell it runs in. */
export interface RunShell {
  pid: number
  name: () => ShellName
  /** The kernel of this machine sees the programs that it starts. */
  isSeen: boolean
  pts: string
  /** The byte log's folder. */
  folder: string
  cwd: () => string | null
  kept: () => Kept
  draw: DrawPart | null
  screen: DrawScreen | null
  /** The end of the clean stream as far as it was heard. */
  head: () => number
  sync: () => Promise<unknown>
  probe: () => Promise<Probed | null>
  /** What `exec` made of it. */
  replacedBy: () => Replaced | null
  input: (text: string) => void
  signal: (signal: number) => void
  interrupt: () => void
  restart: () => void
  /** Work that nobody waits for has an owner, who tells if it fails. */
  owned: (work: Promise<void>) => void
}
