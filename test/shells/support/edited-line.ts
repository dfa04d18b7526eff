import { execFileSync } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShellName } from '../../../src/protocol/events/shell.ts'
import { type HomeShell, startHomeShell } from './shell-home.ts'

/** A key of the test's own writes line and cursor down; completing a word waits for somebody at `~/slow`. */
const startFiles: Readonly<Record<ShellName, string>> = {
  bash: String.raw`
bind -x '"\C-xl": printf "%s\0%s" "$READLINE_LINE" "$READLINE_POINT" >~/line'
slow() { : <~/slow; }; complete -F slow kubectl`,
  zsh: String.raw`
dump() { printf '%s\0%s' "$BUFFER" "$CURSOR" >~/line }; zle -N dump; bindkey '^Xl' dump
slow() { : <~/slow }; zle -N slow; bindkey '^I' slow`,
  fish: String.raw`
set -g fish_autosuggestion_enabled 0
bind \cxl 'begin; commandline -b | string collect; printf "\0"; commandline -C; end >~/line'
complete -c kubectl -f -a '(cat ~/slow)'`,
}

export interface EditedShell extends HomeShell {
  type: (keys: string) => void
  /** The line that is being edited, and where the cursor is in it, in characters. */
  line: () => Promise<{ text: string; cursor: number }>
  /** Lets whoever waits at this place in the home go on, now or as soon as it does. */
  open: (gate: 'slow' | 'gate') => Promise<void>
}

export async function startEditing(shell: ShellName): Promise<EditedShell> {
  const own = await startHomeShell(shell, startFiles[shell], { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' })
  const at = (name: string) => join(own.home, name)
  execFileSync('mkfifo', ['line', 'slow', 'gate'].map(at))

  function type(keys: string): void {
    const refusal = own.terminal.liveView.type(keys)
    if (refusal) throw new Error(refusal.message)
  }

  return {
    ...own,
    type,
    async line() {
      const told = readFile(at('line'), 'utf8')
      type('\x18l')
      const [text = '', cursor = ''] = (await told).split('\0')
      return { text: text.replace(/\n$/, ''), cursor: Number(cursor) }
    },
    open: async (gate) => (await open(at(gate), 'w')).close(),
  }
}
