import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { text } from '../terminal/support/temp-shell.ts'
import { startHomeShell } from './support/shell-home.ts'

const settings: Readonly<Record<ShellName, readonly string[]>> = {
  bash: [
    'set -x',
    'set -u',
    'set -C',
    'set -o posix',
    'set -o vi',
    'IFS=x7',
    'set -T',
    'set -f',
    'exec 3>&1',
  ],
  zsh: [
    'set -x',
    'set -u',
    'set -C',
    'setopt ksh_arrays sh_word_split',
    'setopt err_return warn_create_global',
    'setopt no_bang_hist interactive_comments',
    'emulate sh',
    'emulate ksh',
    'bindkey -v',
    'bindkey -e',
    'IFS=x7',
    'setopt all_export local_options',
    'unset zle_bracketed_paste',
    'setopt print_exit_value',
  ],
  fish: [
    'set -g fish_trace 1',
    'fish_vi_key_bindings',
    'fish_default_key_bindings',
    'set -g IFS x7',
    'set -gx LC_ALL C',
  ],
}

test.each(
  ShellName.options.flatMap((shell) => settings[shell].map((setting) => ({ shell, setting }))),
)('[SHELL1] works under $shell: $setting', async ({ shell, setting }) => {
  const own = await startHomeShell(shell)
  onTestFinished(own.close)
  await own.run(setting)
  const end = await own.run(`echo out; sh -c 'exit 7'`)
  expect(end).toMatchObject({ outcome: 'ended', exitCode: 7, cwdAfter: own.home })
  expect(text(end.output)).toMatch(/(^|\n)out\n/)
  expect(text(end.output)).not.toContain('tandem')
  expect(await own.run("echo 'open")).toMatchObject({ outcome: 'ended', exitCode: 130 })
  const again = await own.run('printf done')
  expect([text(again.output).endsWith('done'), again.exitCode]).toEqual([true, 0])
})

const sabotage: Readonly<Record<ShellName, readonly string[]>> = {
  bash: ['unset PROMPT_COMMAND', 'PS1=', 'unset PS0', 'exec 2>/dev/null', 'exec >/dev/null'],
  zsh: [
    'precmd_functions=()',
    'precmd_functions=() preexec_functions=()',
    'zle -D zle-line-init',
    'zle-line-init() { : }; zle -N zle-line-init',
    'precmd() { print theirs }',
    'PS1= PS2= PROMPT_EOL_MARK=',
    'exec 2>/dev/null',
    'exec >/dev/null',
  ],
  // fish cannot redirect itself.
  fish: ['functions -e __tandem_end', 'functions -e fish_prompt', 'function fish_prompt; end'],
}

test.each(
  ShellName.options.flatMap((shell) => sabotage[shell].map((command) => ({ shell, command }))),
)(
  '[SHELL1] ends with the right code though hooks were dropped: $shell: $command',
  async ({ shell, command }) => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    for (const [line, code] of [
      [`${command}; sh -c 'exit 5'`, 5],
      [`sh -c 'exit 6'`, 6],
      [`sh -c 'exit 7'`, 7],
    ] as const) {
      expect(await own.run(line)).toMatchObject({ outcome: 'ended', exitCode: code })
    }
  },
)
