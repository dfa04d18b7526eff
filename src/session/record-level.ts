import { terminalRun } from '../log/open.ts'
import { type Append, system } from './append.ts'
import { closeLevels } from './record-run.ts'
import type { ShellAdopted, ShellLeft } from './report.ts'

/** Told again by every server that finds it: known by where it spoke first. */
export function recordAdopted(append: Append, adopted: ShellAdopted): void {
  const { shell, levels, lastAdopted } = append.state
  if (shell.phase !== 'live' || adopted.generation !== shell.generation) return
  if (adopted.ptyAt <= lastAdopted || adopted.level > levels.length + 1) return
  // A shell that became another program is gone, with all that was inside.
  closeLevels(append, { first: Math.max(1, adopted.level), outcome: 'shell_exited' })
  const around = adopted.level === 0 ? undefined : terminalRun(append.state)
  // The model is told which command led there.
  const command = around?.private ? 'a private command' : (around?.command ?? '')
  append.add({ ...adopted, type: 'shell_adopt', run: around?.seq ?? null, command }, system)
}

export function recordLeft(append: Append, { generation, level, ptyAt }: ShellLeft): void {
  const { shell, levels } = append.state
  if (shell.phase !== 'live' || generation !== shell.generation) return
  if (levels[level - 1]?.ptyAt === ptyAt)
    closeLevels(append, { first: level, outcome: 'shell_exited' })
}
