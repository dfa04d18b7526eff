import type { Run } from './run.ts'
import { isLikelyOver, type Track } from './track.ts'
import type { Probe } from '../incoming.ts'
import { act, type Step, stay } from '../shells.ts'
import { pauseLimit } from '../time/deadlines.ts'

/** A program's need besides time; null while it just runs. */
export type Need = 'waiting' | 'secret' | 'screen' | null

/** The foreground program's state, as the kernel tells it. */
export interface Foreground {
  readonly state: 'running' | 'waiting' | 'secret' | 'raw' | 'prompt' | 'unknown'
  readonly program: string
  readonly replaced: Probe['replaced']
}

export function needOf(run: Run, track: Track, foreground: Foreground): Need {
  const { state, program, replaced } = foreground
  if (state === 'waiting' || state === 'secret') return state
  if (state === 'prompt') return needOfShell(run, track, { name: program, replaced })
  return state === 'raw' ? 'screen' : null
}

interface Reader extends Pick<Probe, 'replaced'> {
  /** The program that reads, in the shell's own process. */
  name: string
}

/**
 * The need of a shell that reads with its own line editor inside a command, as fish does for `read` and zsh
 * for `vared`: the kernel sees no difference between that and a prompt. A bash that reads so is at its prompt,
 * with its marks taken away, unless the command asks for it.
 */
export function needOfShell({ order }: Run, track: Track, { name, replaced }: Reader): Need {
  if (isLikelyOver(track)) return null
  if (replaced !== null) return replaced === 'program' ? 'screen' : null
  if (name === 'bash' && !edited.test(order.command)) return null
  return silently.test(order.command) ? 'secret' : 'waiting'
}

const options = String.raw`\bread\b[^;|&\n]*\s`
/** Only the shell's editor knows whether it shows what is typed; `-s` is taken to mean that it does not. */
const silently = new RegExp(`${options}(?:-[a-zA-Z]*s[a-zA-Z]*|--silent)\\b`)
const edited = new RegExp(`${options}-[a-zA-Z]*e[a-zA-Z]*\\b`)

/** The program needs somebody, or does not any more. */
export function changeNeed(run: Run, need: Need, now: number): Step<Run> {
  if (need === run.need) return stay(run)
  const { id } = run.order
  const limit = run.limit && pauseLimit(run.limit, need !== null, now)
  const next = act<Run>(
    { ...run, need, limit },
    { type: 'status', run: id, status: need ?? 'running' },
  )
  if (need === null) return next
  return { ...next, effects: [...next.effects, { type: 'waits', run: id, need }] }
}
