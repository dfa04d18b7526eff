// needs: zsh
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../support/temp.ts'
import { removeWorker, startLooked } from './support/looked-shell.ts'

afterAll(removeWorker)

const prompts = {
  'bash with one line': { shell: 'bash', file: '' },
  'bash with two lines and a trace': { shell: 'bash', file: "PS1='\\w\\n$ '; set -x" },
  zsh: { shell: 'zsh', file: '' },
  'zsh with two lines and a trace': {
    shell: 'zsh',
    file: "PROMPT='%~'$'\\n''%# '; RPROMPT='%*x'; setopt xtrace",
  },
}

test.each(Object.entries(prompts))(
  '[APP60] nothing of the asking is seen on the screen: %s',
  async (_, { shell, file }) => {
    const folder = await tempFolder()
    onTestFinished(folder.remove)
    writeFileSync(join(folder.path, '.zshrc'), file)
    const looked = await startLooked({ shell, bashrc: file, env: { ZDOTDIR: folder.path } })
    onTestFinished(looked.close)
    for (const command of ['echo hello', 'seq 40']) {
      await looked.run(command)
      const before = await looked.read({ ansi: true })
      looked.terminal().liveView.type('half')
      expect(await looked.terminal().liveState(['cat'])).not.toBeNull()
      looked.terminal().liveView.type('\x7f\x7f\x7f\x7f')
      expect(await looked.terminal().liveState(['grep'])).not.toBeNull()
      // bash draws its line anew behind the answer.
      await expect.poll(() => looked.read({ ansi: true })).toBe(before)
    }
  },
)

test('[APP60] output without a line end stays before the prompt that bash draws anew', async () => {
  const looked = await startLooked()
  onTestFinished(looked.close)
  await looked.run('printf unfinished')
  expect(await looked.terminal().liveState(['ls'])).not.toBeNull()
  await expect.poll(() => looked.read()).toMatch(/^unfinished\$ *\n\$ *$/m)
})
