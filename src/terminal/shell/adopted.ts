import type { Integration, ShellName } from '../../protocol/events/shell.ts'
import type { Moment, Mark } from '../incoming.ts'
import type { Shell } from '../state.ts'
import { act, inRun, type Step, stay } from '../shells.ts'
import { beginRun, type Run } from './run.ts'

/** The shell speaks. If it did before, it is another program now, without our files. */
export function integrate(shell: Shell, mark: Mark & { kind: 'integrated' }): Shell {
  const name = isShellName(mark.shell) ? mark.shell : shell.name
  const spoken = { ...shell, name, integration: quality(name, mark.version), place: mark.place }
  if (mark.place === '') return spoken
  // Adopted in the place of one that was at its prompt, its own is still to come.
  const phase = shell.phase === 'starting' ? shell.phase : 'returning'
  return { ...spoken, phase, isByKeys: true, ptyAt: mark.offset, isReported: false }
}

function isShellName(name: string): name is ShellName {
  return Object.hasOwn(fullSince, name)
}

/** Before these, bash and fish cannot say where a command's output starts, nor zsh what it reads. */
const fullSince: Readonly<Record<ShellName, number>> = { bash: 404, zsh: 501, fish: 301 }

function quality(shell: ShellName, version: string): Integration {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 100 + minor >= fullSince[shell] ? 'full' : 'basic'
}

/** Reports an adopted shell once its first prompt says where it is. */
export function reportAdopted(shell: Shell): Step<Shell> {
  if (shell.isReported || shell.phase !== 'prompt') return stay(shell)
  const { level, name, pid, place, ptyAt } = shell
  const cwd = shell.cwd ?? '/'
  const report = { type: 'shell-adopted', level, shell: name, pid, cwd, place, ptyAt } as const
  return act({ ...shell, isReported: true }, { type: 'report', report })
}

/** A shell inside the run was adopted, or has left. */
export function changeAround(shell: Shell, { now }: Moment): Step<Shell> {
  return inRun(shell, (run) =>
    shell.track?.isAround === true ? pause(run) : beginRun(run, { shell, now }),
  )
}

/** The output and the needs are those of the shell inside, until that ends. */
function pause(run: Run): Step<Run> {
  const { id } = run.order
  return act(
    { ...run, limit: null, idle: null, need: null },
    { type: 'unwatch', run: id },
    { type: 'status', run: id, status: 'running' },
  )
}
