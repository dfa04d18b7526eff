import { ok, refused, type Result } from '../../../base/result.ts'
import { ShellName } from '../../../protocol/events/shell.ts'
import type { Foreground } from '../probe/classify.ts'

export interface Candidate {
  /** The foreground process group; null where nobody can say. */
  group: number | null
  foreground: Foreground
  /** A program has taken the whole screen. */
  isAlternate: boolean
  /** The shell that commands run in now. */
  shell: { pid: number; isFree: boolean }
}

export interface Adoptable {
  group: number
  /** It is the very process that was the shell before: it became another program. */
  isSame: boolean
  /** It is behind a program that carries a terminal elsewhere. */
  isCarried: boolean
}

const words = (text: string) => new Set(text.split(/\s+/))
const otherShells = words('sh dash ash busybox ksh ksh93 mksh yash csh tcsh nu elvish xonsh pwsh')
/** Programs whose terminal is read by a shell somewhere else. */
const carriers = words(
  `ssh mosh-client et telnet sshpass su sudo doas runuser run0 machinectl systemd-run pkexec docker podman
  nerdctl kubectl oc crictl lxc incus virsh adb limactl multipass script socat`,
)
const whatWorks = 'bash, zsh and fish can be adopted, also behind ssh, su, docker and their like.'

/** The program that reads in the terminal, if it looks like a shell at its prompt; else a sentence why not. */
export function findAdoptable(candidate: Candidate): Result<Adoptable, string> {
  const { group, foreground, shell } = candidate
  if (shell.isFree) return refused('There is no shell to adopt: nothing runs in the terminal.')
  if (group === null || group <= 0) return refused('Nothing reads in the terminal.')
  const why = reasonAgainst(candidate)
  if (why !== null) return refused(why)
  const isCarried = kindOf(foreground) === 'carrier'
  // A shell that became ssh is not another shell of this machine.
  return ok({ group, isCarried, isSame: group === shell.pid && !isCarried })
}

function reasonAgainst({ foreground, isAlternate }: Candidate): string | null {
  const { program = 'What runs', state } = foreground
  if (isAlternate) return `${program} has taken the screen: it is no shell.`
  if (state === 'secret') return `${program} reads a secret. ${later}`
  const kind = kindOf(foreground)
  if (kind === 'other') return `${program} cannot be adopted. ${whatWorks}`
  if (kind === 'none') return `${program} is not a shell. ${whatWorks}`
  const isBusy = state === 'running' || state === 'waiting'
  return isBusy ? `${program} is not at a prompt. ${later}` : null
}

/** It may be at its prompt in a moment: what draws one, or passes it on from elsewhere, is at work. */
export function isBusyShell(foreground: Foreground): boolean {
  const kind = kindOf(foreground)
  return foreground.state === 'running' && (kind === 'shell' || kind === 'carrier')
}

/** It takes single keys, as line editors do, and is a shell that can be adopted or carries one. */
export function isNestedPrompt(foreground: Foreground, wanted: 'shell' | 'any'): boolean {
  const { program = '', state } = foreground
  if (state !== 'raw' && state !== 'prompt') return false
  return kindOf(foreground) === 'shell' || (wanted === 'any' && carriers.has(program))
}

export function isShell(program: string): boolean {
  return ShellName.safeParse(program).success || otherShells.has(program)
}

const later = 'Adopt the shell when its prompt is there.'

/** A program that the kernel does not name may carry a shell: what is typed has to show it. */
function kindOf({ program = '', state }: Foreground): 'shell' | 'other' | 'carrier' | 'none' {
  if (ShellName.safeParse(program).success) return 'shell'
  if (otherShells.has(program)) return 'other'
  return carriers.has(program) || state === 'unknown' ? 'carrier' : 'none'
}
