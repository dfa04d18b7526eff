import { clip, whole } from '../../base/text.ts'
import type { Event } from '../../protocol/events/event.ts'
import type { ShellAdopt, ShellLeave, ShellStart } from '../../protocol/events/shell.ts'

/** The record for a model whose commands run in another shell from now on. */
export function shellText(event: Event): string | null {
  if (event.type === 'shell_start') return started(event)
  if (event.type === 'shell_exit') return event.movedTo === undefined ? null : moved
  if (event.type === 'shell_adopt') return adopted(event)
  return event.type === 'shell_leave' ? left(event) : null
}

/** The first shell is no news. */
function started({ generation, cwd, taken }: ShellStart): string | null {
  if (taken)
    return `[the terminal was taken over from an earlier session of the user: its shell goes on in ${cwd}, with the variables, functions and jobs it had there]`
  return generation > 1 ? newShell(cwd) : null
}

const moved =
  '[the user has taken the terminal to another session: its shell is gone from here, with its variables, functions and jobs. The next command starts a new one]'

function newShell(cwd: string): string {
  return `[a new shell was started in ${cwd}: variables, functions and jobs of the earlier one are gone]`
}

function adopted({ level, shell, place, command, cwd }: ShellAdopt): string {
  const what = `${shell} of ${short(place)}`
  if (level === 0)
    return `[the shell was replaced by another one, ${what}, in ${short(cwd)}: variables, functions and jobs of the earlier one are gone]`
  return `[the terminal is now inside another shell: ${what}, by \`${short(command)}\`, in ${short(cwd)}. Your commands run there until it ends; variables and functions of the outer shell are not there, and its files and programs may not be]`
}

function left({ command, cwd }: ShellLeave): string {
  return `[the shell inside, by \`${short(command)}\`, has ended: commands run in the shell around it again, in ${short(cwd)}]`
}

/** The length at which a name is still recognised. */
const nameChars = 200

export const short = (text: string) => clip(whole(text.replaceAll(/\s+/g, ' ')), nameChars)
