// needs: zsh
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drift } from '../../src/session/policy/live/drift.ts'
import { type HomeShell, startHomeShell } from './support/shell-home.ts'

interface Change {
  do: string
  undo: string
  /** What a person is told; more may be said besides. */
  says: string
}

const both: readonly Change[] = [
  { do: 'ls() { echo no; }', undo: 'unset -f ls', says: '`ls` is a function now' },
  { do: "alias ls='rm -rf'", undo: 'unalias ls', says: '`ls` is an alias for `rm -rf` now' },
  { do: 'old=$PATH; PATH=./bin:$PATH', undo: 'PATH=$old', says: 'PATH begins with ./bin now' },
  { do: 'old=$PATH; PATH=$PATH:', undo: 'PATH=$old', says: 'PATH has the current folder now' },
  {
    do: 'export GIT_SSH_COMMAND=x',
    undo: 'unset GIT_SSH_COMMAND',
    says: 'GIT_SSH_COMMAND is set now',
  },
  { do: 'export LD_PRELOAD=', undo: 'unset LD_PRELOAD', says: 'LD_PRELOAD is set now' },
  { do: 'export PAGER=x', undo: 'unset PAGER', says: 'PAGER is `x` now' },
  { do: 'export GCONV_PATH=x', undo: 'unset GCONV_PATH', says: 'GCONV_PATH is set now' },
  { do: 'export PS_FORMAT=x', undo: 'unset PS_FORMAT', says: 'PS_FORMAT is set now' },
  { do: 'export GREP=x', undo: 'unset GREP', says: 'GREP is set now' },
  { do: 'export PERLLIB=x', undo: 'unset PERLLIB', says: 'PERLLIB is set now' },
  { do: 'export THEIR_TOOL_OPTS=x', undo: 'unset THEIR_TOOL_OPTS', says: 'THEIR_TOOL_OPTS is set' },
  {
    do: 'old=$LANG; LANG=zh_CN.GBK',
    undo: 'LANG=$old',
    says: 'LANG',
  },
  { do: 'export GOENV=x', undo: 'unset GOENV', says: 'GOENV is set now' },
  { do: 'old=$HOME; HOME=/tmp', undo: 'HOME=$old', says: 'HOME has another value now' },
  { do: 'trap : USR1', undo: 'trap - USR1', says: 'trap is set' },
]

const bash: readonly Change[] = [
  ...both,
  { do: 'IFS=x', undo: 'unset IFS', says: 'IFS has another value now' },
  { do: 'hash -p /bin/rm ls', undo: 'hash -r', says: 'the shell takes `ls` for /bin/rm now' },
  {
    do: 'PROMPT_COMMAND+=(true)',
    undo: "unset 'PROMPT_COMMAND[-2]'",
    says: 'PROMPT_COMMAND has another value now',
  },
  { do: "trap ': x' DEBUG", undo: 'trap - DEBUG', says: 'a DEBUG trap is set' },
  { do: "trap ': x' ERR", undo: 'trap - ERR', says: 'an ERR trap is set' },
  { do: "trap ': x' EXIT", undo: 'trap - EXIT', says: 'an EXIT trap is set' },
  { do: 'PS0=x$PS0', undo: 'PS0=', says: 'PS0 has another value now' },
  {
    do: 'command_not_found_handle() { :; }',
    undo: 'unset -f command_not_found_handle',
    says: '`command_not_found_handle` is a function now',
  },
  { do: 'shopt -s dotglob', undo: 'shopt -u dotglob', says: 'the option dotglob is on now' },
  { do: 'set -o noclobber', undo: 'set +o noclobber', says: 'the option noclobber is on now' },
  {
    do: 'set -o posix',
    undo: 'set +o posix; unset POSIXLY_CORRECT',
    says: 'the option posix is on now',
  },
  { do: 'enable -n echo', undo: 'enable echo', says: 'the built-in `echo` is switched off now' },
  {
    do: 'enable -n compgen hash',
    undo: 'enable compgen hash',
    says: 'the built-in `hash` is switched off now',
  },
  {
    do: 'f() { :; }; export -f f',
    undo: 'unset -f f',
    says: 'the function `f` is exported to other shells now',
  },
  {
    do: 'theirs() { echo 2; }',
    undo: 'theirs() { echo 1; }',
    says: 'which runs by itself, is new or another one now',
  },
]

const zsh: readonly Change[] = [
  ...both,
  { do: 'IFS=x', undo: String.raw`IFS=$' \t\n\0'`, says: 'IFS has another value now' },
  { do: 'hash ls=/bin/rm', undo: 'unhash ls', says: 'the shell takes `ls` for /bin/rm now' },
  { do: 'TRAPDEBUG() { : }', undo: 'unset -f TRAPDEBUG', says: '`TRAPDEBUG` is a function now' },
  { do: "trap ': x' DEBUG", undo: 'trap - DEBUG', says: 'a DEBUG trap is set' },
  {
    do: 'precmd_functions+=(other); other() { : }',
    undo: 'unset -f other; precmd_functions[(r)other]=()',
    says: '`other`, which runs by itself, is new',
  },
  {
    do: 'command_not_found_handler() { : }',
    undo: 'unset -f command_not_found_handler',
    says: '`command_not_found_handler` is a function now',
  },
  {
    do: "alias -g L='| rm'",
    undo: "unalias 'L'",
    says: 'the word `L` stands for `| rm` everywhere now',
  },
  {
    do: 'alias -s txt=rm',
    undo: 'unalias -s txt',
    says: 'a command that ends in .txt is run by `rm` now',
  },
  {
    do: 'setopt extended_glob',
    undo: 'unsetopt extended_glob',
    says: 'the option extendedglob is on now',
  },
  {
    do: 'setopt sh_word_split',
    undo: 'unsetopt sh_word_split',
    says: 'the option shwordsplit is on now',
  },
  { do: 'unsetopt multios', undo: 'setopt multios', says: 'the option multios is off now' },
  { do: 'disable echo', undo: 'enable echo', says: 'the built-in `echo` is switched off now' },
  { do: 'zmodload zsh/files', undo: 'zmodload -u zsh/files', says: '`rm` is a built-in now' },
  {
    do: 'READNULLCMD=rm',
    undo: 'READNULLCMD=/usr/bin/pager',
    says: 'READNULLCMD has another value now',
  },
  {
    do: 'theirs() { echo 2 }',
    undo: 'theirs() { echo 1 }',
    says: '`theirs`, which runs by itself, is new or another one',
  },
]

const startFile = {
  bash: 'theirs() { echo 1; }; PROMPT_COMMAND=theirs',
  zsh: 'theirs() { echo 1 }; precmd_functions+=(theirs); READNULLCMD=/usr/bin/pager',
}

describe.each([
  { shell: 'bash', changes: bash },
  { shell: 'zsh', changes: zsh },
] as const)('$shell', ({ shell, changes }) => {
  let own: HomeShell
  beforeAll(async () => {
    own = await startHomeShell(shell, startFile[shell])
  })
  afterAll(() => own.close())

  async function sentences(): Promise<readonly string[]> {
    const pulled = await own.terminal.liveState(['ls'])
    if (pulled === null) throw new Error('the shell did not say')
    return drift(pulled.baseline, pulled.state).map(({ sentence }) => sentence)
  }

  test.each(changes)(
    '[APP60] what changes a later command is seen, and seen to be over: $do',
    async (change) => {
      expect(await sentences()).toEqual([])
      await own.run(change.do)
      expect((await sentences()).join('\n')).toContain(change.says)
      await own.run(change.undo)
      expect(await sentences()).toEqual([])
    },
  )

  test('[APP60] variables that make something else of what a loop gives them are told', async () => {
    const typed = async () => (await own.terminal.liveState([]))?.state.typed ?? new Set()
    await own.run('plain=1; typeset -i sum; typeset -u loud; typeset -l low=X')
    expect([...(await typed())].toSorted()).toEqual(expect.arrayContaining(['loud', 'low', 'sum']))
    expect((await typed()).has('plain')).toBe(false)
    await own.run('unset sum loud low plain')
    expect((await typed()).has('sum')).toBe(false)
  })
})
