// needs: zsh fish
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { text } from '../terminal/support/temp-shell.ts'
import { typeAs } from './support/person.ts'
import { type HomeShell, startHomeShell, writeHome } from './support/shell-home.ts'
import { startFiles } from './support/start-files.ts'

async function ownShell(shell: ShellName, file = ''): Promise<HomeShell> {
  const own = await startHomeShell(shell, file)
  onTestFinished(own.close)
  return own
}

const homes = ShellName.options.flatMap((shell) =>
  Object.entries(startFiles[shell]).map(([name, file]) => ({ shell, name, file })),
)

test.each(homes)(
  '[SHELL10] a half-typed line is kept through runs and put back: $shell with $name',
  async ({ shell, file }) => {
    const own = await ownShell(shell, file)
    await typeAs(own, 'printf 9%s9 hal', /hal/)
    expect(await own.output('echo one')).toBe('one\n')
    expect(await own.run('echo )')).toMatchObject({ outcome: 'ended' })
    expect(await own.run("echo 'open")).toMatchObject({ outcome: 'ended', exitCode: 130 })
    expect(await own.output('')).toBe('')
    expect(await own.output('echo two')).toBe('two\n')
    await typeAs(own, 'f\r', /9half9/)
    expect(await own.output('echo three')).toBe('three\n')
  },
)

const histories: Readonly<Record<ShellName, { file: string; old: string; list: string }>> = {
  bash: { file: '.bash_history', old: 'old one\n', list: 'history' },
  zsh: { file: '.zsh_history', old: 'old one\n', list: 'fc -l 1' },
  fish: {
    file: '.local/share/fish/fish_history',
    old: '- cmd: old one\n  when: 1600000000\n',
    list: 'history --reverse',
  },
}
const historyFile = {
  bash: '',
  zsh: 'HISTFILE=~/.zsh_history HISTSIZE=100 SAVEHIST=100; setopt share_history inc_append_history',
  fish: '',
}

test.each(ShellName.options)(
  '[SHELL11] injected commands are in the history of the shell, in order, never in its file; typed ones are in both: %s',
  async (shell) => {
    const { file, old, list } = histories[shell]
    const own = await ownShell(shell, historyFile[shell])
    writeHome(own.home, file, old)
    await own.terminal.close()
    expect(await own.terminal.start({ generation: 1, cwd: own.home })).toMatchObject({ ok: true })
    await own.run('echo first')
    await typeAs(own, 'echo by-hand\r', /by-hand[^]*by-hand[^]*/)
    await own.run('echo "second one"', { by: 'person' })
    const listed = (await own.output(list))
      .trim()
      .split('\n')
      .map((line) => line.trim().replace(/^\d+\*? +/, ''))
    expect(listed.filter((line) => line !== list)).toEqual([
      'old one',
      'echo first',
      'echo by-hand',
      'echo "second one"',
    ])
    await own.run('exit')
    await own.shellEnd
    const saved = readFileSync(join(own.home, file), 'utf8')
    expect(saved).toContain('echo by-hand')
    expect(saved).not.toMatch(/first|second|exit/)
  },
)

test.each(ShellName.options)(
  '[SHELL12] only commands of the model are without pagers, and variables are as before after them: %s',
  async (shell) => {
    const own = await ownShell(shell)
    const set = {
      bash: 'export PAGER=less; MANPAGER=mine',
      zsh: 'export PAGER=less; MANPAGER=mine',
      fish: 'set -gx PAGER less; set -g MANPAGER mine',
    }
    await own.run(set[shell], { by: 'person' })
    const show = 'printenv PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER; echo "$MANPAGER"'
    expect(await own.output(show)).toBe('cat\ncat\ncat\ncat\ncat\ncat\n')
    expect(await own.output(show, { by: 'person' })).toBe('less\nmine\n')
    await own.run(shell === 'fish' ? 'set -gx GIT_PAGER delta' : 'export GIT_PAGER=delta')
    expect(await own.output(show, { by: 'person' })).toBe('less\ndelta\nmine\n')
  },
)

test.each(ShellName.options)(
  '[SHELL12] history expansion and comments are off or on for the injected line only: %s',
  async (shell) => {
    const own = await ownShell(shell)
    expect(await own.output("echo '!!' # no")).toBe('!!\n')
    if (shell === 'zsh') {
      expect(await own.output('echo "${(q)histchars}"; setopt | grep -c comments')).toBe(
        '\\!\\^\\#\n0\n',
      )
    }
    if (shell === 'fish')
      expect(await own.output('set -q fish_private_mode; echo $status')).toBe('1\n')
  },
)

describe.each(ShellName.options)('%s', (shell) => {
  test.each([
    'plain',
    'with space',
    'semi;colon',
    `quote'and"double`,
    'back\\slash',
    'new\nline',
    'bell\x07esc\x1b',
    'ünï漢😀',
    '$(dollar) `tick`',
    '%41percent',
    'q',
    'u%2F',
  ])('[SHELL1] a run knows the folder it ends in: %j', async (name) => {
    const own = await ownShell(shell)
    const folder = join(own.home, name)
    mkdirSync(folder)
    writeHome(
      own.home,
      'go',
      shell === 'fish' ? 'cd (printf %b "$argv" | string collect)' : 'cd "$(printf %b "$1")"',
    )
    const octal = [...Buffer.from(folder)]
      .map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`)
      .join('')
    const end = await own.run(`. ~/go '${octal}'`)
    expect(end).toMatchObject({ exitCode: 0, cwdAfter: folder })
    expect(own.terminal.cwd()).toBe(folder)
  })

  test('[SHELL1] links are shown as they were followed, and a deleted folder by its old name', async () => {
    const own = await ownShell(shell)
    expect(await own.run('mkdir real; ln -s real link; cd link')).toMatchObject({
      cwdAfter: join(own.home, 'link'),
    })
    const gone = join(own.home, 'gone')
    expect(await own.run('mkdir ~/gone; cd ~/gone; rmdir ~/gone')).toMatchObject({ cwdAfter: gone })
    expect(existsSync(gone)).toBe(false)
    expect(await own.run('cd')).toMatchObject({ exitCode: 0, cwdAfter: own.home })
  })

  test('[SHELL16] an interrupt ends a program with 130 and drops the lines after it', async () => {
    const own = await ownShell(shell)
    let on: () => void = () => {}
    const started = new Promise<void>((resolve) => {
      on = resolve
    })
    const end = own.run('echo on; sleep 1000\necho never', { onOutput: on })
    await started
    await own.terminal.interrupt('int')
    expect(await end).toMatchObject({ outcome: 'ended', exitCode: 130 })
    expect(text((await end).output)).not.toContain('never')
    expect(await own.output('echo next')).toBe('next\n')
  })

  test('[SHELL16] a background job that floods the terminal changes no exit code', async () => {
    const own = await ownShell(shell)
    await own.run(`sh -c 'while :; do echo flood-flood-flood; done' &`)
    for (let code = 0; code < 20; code += 1) {
      expect(await own.run(`sh -c 'exit ${code}'`)).toMatchObject({
        outcome: 'ended',
        exitCode: code,
      })
    }
    await own.run('kill %1')
  })
})
