import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { startHomeShell } from './support/shell-home.ts'

/** A key of the line editor that changes the folder: no prompt and no command tells of it. */
const startFiles: Readonly<Record<ShellName, string>> = {
  bash: String.raw`bind -x '"\C-xg": cd /'`,
  zsh: String.raw`go() { cd / }; zle -N go; bindkey '^Xg' go`,
  fish: String.raw`bind \cxg 'cd /'`,
}

test.each(ShellName.options)(
  '[FOLD4] %s: a command that was allowed in one folder is not run when a key has taken the shell to another',
  async (shell) => {
    const own = await startHomeShell(shell, startFiles[shell])
    onTestFinished(own.close)
    await own.run('true')
    const ran = join(own.home, 'ran')
    const stamp = own.terminal.stamp()
    own.terminal.liveView.type('\x18g')
    expect(await own.run(`touch ${ran}`, { stamp })).toMatchObject({
      outcome: 'not_started',
      moved: true,
      cwdAfter: '/',
    })
    expect(existsSync(ran)).toBe(false)
    // A person's own command is for wherever the shell is, and the line is clean.
    expect(await own.run(`touch ${ran}`, { by: 'person' })).toMatchObject({ exitCode: 0 })
    expect(existsSync(ran)).toBe(true)
  },
)
