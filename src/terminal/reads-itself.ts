import type { Probe } from './idle.ts'

/** What a program needs besides time; null while it just runs. */
export type Need = 'waiting' | 'secret' | 'screen' | null

const options = String.raw`\bread\b[^;|&\n]*\s`
/** Whether a shell shows what is typed, its editor alone knows; that it may not is taken for granted. */
const silently = new RegExp(`${options}(?:-[a-zA-Z]*s[a-zA-Z]*|--silent)\\b`)
const edited = new RegExp(`${options}-[a-zA-Z]*e[a-zA-Z]*\\b`)

export interface Reader extends Pick<Probe, 'replaced'> {
  /** The program that reads, in the shell's own process. */
  name: string
  command: string
}

/**
 * The need of a shell that reads with its own line editor inside a command, as fish does for `read` and zsh
 * for `vared`. A bash that reads so is at its prompt, with its marks taken away, unless it was told to.
 */
export function readsItself({ name, replaced, command }: Reader): Need {
  if (replaced !== null) return replaced === 'program' ? 'screen' : null
  if (name === 'bash' && !edited.test(command)) return null
  return silently.test(command) ? 'secret' : 'waiting'
}
