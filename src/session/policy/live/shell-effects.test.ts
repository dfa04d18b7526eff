import { expect, test } from 'vitest'
import { plainShell } from '../../../../test/support/plain-shell.ts'
import type { Facts, LiveShell } from '../facts.ts'
import { judge } from '../verdict.ts'
import { meaningfulOptions } from './live-state.ts'
import { shellEffects } from './shell-effects.ts'

/** All that are on in an interactive zsh without start files. */
const zshOptions =
  'aliases alwayslastprompt appendhistory autolist automenu autoparamkeys autoparamslash autoremoveslash badpattern banghist bareglobqual beep bgnice braceexpand caseglob casematch checkjobs checkrunningjobs clobber debugbeforecmd equals evallineno exec flowcontrol functionargzero glob globalexport globalrcs hashall hashcmds hashdirs hashlistall histappend histbeep histexpand histsavebycopy hup interactive listambiguous listbeep listtypes log monitor multibyte multifuncdef multios nomatch notify promptcr promptpercent promptsp shinstdin shortloops stdin trackall unset zle'

/** A zsh whose start files set these, too. */
function zshWith(...more: readonly string[]): LiveShell {
  const options = new Set(meaningfulOptions('zsh', [...zshOptions.split(' '), ...more]))
  const { state } = plainShell({ shell: 'zsh', options })
  return { state, baseline: state }
}

const reasons = (command: string, live: LiveShell) =>
  shellEffects(command, live, { names: new Set(['cat']), effects: [] }).map(({ reason }) => reason)

test('[APP8] a zsh as it comes asks for nothing', () => {
  expect(reasons('cat {a,b} *.md', zshWith())).toEqual([])
})

test.each([
  ['braceccl', 'cat .e{n}v', 'cat a'],
  ['globdots', 'cat *', 'cat a'],
  ['cdablevars', 'cd home', 'cat a'],
])('[APP8] the option %s makes %j ask, and not %j', (option, asks, runs) => {
  expect(reasons(asks, zshWith(option))).toEqual([`the option ${option} changes what words mean`])
  expect(reasons(runs, zshWith(option))).toEqual([])
})

test.each([
  [{ aliases: new Map([['ls', 'rm -rf']]) }, '`ls` is an alias for `rm -rf`'],
  [{ functions: new Set(['ls']), bodies: new Map([['ls', 'rm x']]) }, '`ls` is a function: rm x'],
  [{ builtins: new Set(['ls']) }, '`ls` is a built-in that the shell did not have when it started'],
] as const)('[APP8] a name that is not what it was is told once: %o', (change, reason) => {
  const facts: Facts = {
    approval: 'guarded',
    workspace: '/work',
    cwd: '/work',
    shell: 'bash',
    home: '/home/me',
    isTrusted: true,
    live: plainShell(change),
    files: new Map(),
  }
  const { decision, reasons } = judge('ls', facts)
  expect(decision).toBe('ask')
  expect(reasons).toEqual([reason])
})

test('[APP8] a word of the grammar that is an alias, and another meaning of what says what names are, concern any command', () => {
  const { baseline } = plainShell()
  const asks = (changes: Parameters<typeof plainShell>[0]) =>
    shellEffects(
      'cat a',
      { ...plainShell(changes), baseline },
      {
        names: new Set(['cat']),
        effects: [],
      },
    ).length > 0
  expect(asks({ aliases: new Map([['if', 'rm x; if']]) })).toBe(true)
  expect(asks({ aliases: new Map([['dog', 'rm x']]) })).toBe(false)
  expect(asks({ functions: new Set(['type']) })).toBe(true)
  expect(asks({ functions: new Set(['hash']) })).toBe(true)
  expect(asks({ functions: new Set(['dog']) })).toBe(false)
  expect(asks({ options: new Set([...baseline.options, 'redirected']) })).toBe(true)
})

test('[APP8] a word that is no name may be an alias all the same', () => {
  const { baseline } = plainShell()
  const { state } = plainShell({ aliases: new Map([['CI=1', 'touch x;']]) })
  const live = { state, baseline }
  expect(reasons('CI=1 cat a', live)).toEqual(['`CI=1` is an alias for `touch x;` now'])
  expect(reasons('CI=0 cat a', live)).toEqual([])
})

test.each([
  ['for f in a; do cat "$f"; done', true],
  ['for \\\n f in a; do cat "$f"; done', true],
  ['for g in a; do cat "$g"; done', false],
  ['cat f', false],
])('[APP8] a loop over a variable that calculates asks: %j', (command, asks) => {
  const live = plainShell({ typed: new Set(['f']) })
  const reason = 'the variable f makes something else of its values in this shell'
  expect(reasons(command, live)).toEqual(asks ? [reason] : [])
})

test.each([
  ['CDPATH', '/tmp', 'cd docs', 'CDPATH may lead to a folder of the same name elsewhere'],
  ['GLOBIGNORE', 'x', 'cat *', 'GLOBIGNORE changes which files a pattern means'],
  ['IFS', 'x', 'cat $HOME', 'IFS changes where values are split'],
])('[APP8] %s counts also where the start files have set it', (name, value, command, reason) => {
  const { state } = plainShell({ variables: new Map([[name, { isExported: false, value }]]) })
  const live = { state, baseline: state }
  expect(reasons(command, live)).toEqual([reason])
  expect(reasons('cat a', live)).toEqual([])
})

test('[APP8] letters that are half of a sign ask, and other languages do not', () => {
  const { baseline } = plainShell()
  const speaks = (value: string) => {
    const variables = new Map([['LANG', { isExported: true, value }]])
    return reasons('cat a', { baseline, state: plainShell({ variables }).state })
  }
  for (const value of ['C', 'de_DE.UTF-8', 'zh_CN.UTF-8', 'en_US'])
    expect([value, speaks(value)]).toEqual([value, []])
  for (const value of ['zh_CN.GBK', 'zh_TW.BIG5', 'ja_JP.SJIS', 'ja_JP'])
    expect([value, speaks(value)]).toEqual([value, ['LANG is set now']])
})
