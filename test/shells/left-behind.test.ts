// needs: zsh fish less vi
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import headless from '@xterm/headless'
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import type { TerminalRunEnd } from '../../src/server/terminal/terminal.ts'
import { type HomeShell, startHomeShell, writeHome } from './support/shell-home.ts'

async function start(shell: ShellName, startFile = '') {
  const own = await startHomeShell(shell, startFile)
  onTestFinished(own.close)
  return own
}

async function recorded(own: HomeShell, from: number | null, to: number | null): Promise<Buffer> {
  return (await own.terminal.readOutput({ from: from ?? 0, to: to ?? 0 })).bytes
}

/** The bytes from the end of a command until a line editor takes over, which draws as it likes. */
async function between(own: HomeShell, before: TerminalRunEnd): Promise<string> {
  const { ptyFrom } = await own.run('true')
  const bytes = await recorded(own, before.ptyTo, ptyFrom)
  return bytes.toString('latin1').replace(/\x1b\[\?2004h[^]*/, '')
}

const prints = (sequences: string) => `printf '${sequences.replaceAll('\x1b', '\\033')}'`

/** Modes that programs die with, and what the next prompt must find written. */
const modes: Readonly<Record<string, { sets: string; undo: string }>> = {
  'mouse reports': {
    sets: '\x1b[?1000;1002h\x1b[?1006h',
    undo: '\x1b[?1000l\x1b[?1002l\x1b[?1006l',
  },
  'all mouse movements': { sets: '\x1b[?1003h', undo: '\x1b[?1003l' },
  'focus reports': { sets: '\x1b[?1004h', undo: '\x1b[?1004l' },
  'the alternate screen': { sets: '\x1b[?1049h', undo: '\x1b[?1049l' },
  'application keys': { sets: '\x1b[?1h\x1b=', undo: '\x1b[?1l\x1b>' },
  'bracketed paste': { sets: '\x1b[?2004h', undo: '\x1b[?2004l' },
  'drawing held back': { sets: '\x1b[?2026h', undo: '\x1b[?2026l' },
  'no cursor': { sets: '\x1b[?25l', undo: '\x1b[?25h' },
  'no wrapping': { sets: '\x1b[?7l', undo: '\x1b[?7h' },
  inserting: { sets: '\x1b[4h', undo: '\x1b[4l' },
  'a scroll region': { sets: '\x1b[3;9r', undo: '\x1b7\x1b[r\x1b8' },
  'line drawing': { sets: '\x1b(0', undo: '\x1b(B' },
  colours: { sets: '\x1b[1;31m', undo: '\x1b[m' },
  'the colour of the cursor': { sets: '\x1b]12;red\x1b\\\\', undo: '\x1b]112\x1b\\' },
  'pushed keys of kitty': { sets: '\x1b[>1u', undo: '\x1b[<1u' },
  'other keys of xterm': { sets: '\x1b[>4;2m', undo: '\x1b[>4m' },
}

test.each(ShellName.options)(
  '[TERM232] each mode that a command leaves is taken back before the next prompt: %s',
  async (shell) => {
    const own = await start(shell)
    const ordinary = await between(own, await own.run('printf plain'))
    for (const [name, { sets, undo }] of Object.entries(modes)) {
      const found = await between(own, await own.run(prints(`${sets}plain`)))
      expect({ [name]: found }).toEqual({ [name]: undo + ordinary })
    }
  },
)

test.each(ShellName.options)(
  '[TERM232] a program that is killed on its own screen leaves the terminal as it was: %s',
  async (shell) => {
    const own = await start(shell)
    await own.run('echo before')
    const sets = prints('\x1b[?1049h\x1b[?1;1002;1006;1004h\x1b=\x1b[?25l\x1b[2;5r\x1b[4h\x1b[31mx')
    writeHome(own.home, 'dies', `${sets}; stty raw -echo; kill -9 $$\n`)
    const killed = await own.run('sh ./dies')
    expect(killed).toMatchObject({ outcome: 'ended', exitCode: 137 })
    const { ptyTo } = await own.run('echo after; echo more')
    const bytes = await recorded(own, 0, ptyTo)
    const played = await play(bytes)
    expect(played.buffer.active.type).toBe('normal')
    expect(played.modes).toMatchObject({
      applicationCursorKeysMode: false,
      applicationKeypadMode: false,
      insertMode: false,
      mouseTrackingMode: 'none',
      sendFocusMode: false,
    })
    expect(bytes.toString('latin1')).toMatch(/after\r\nmore\r\n$/)
  },
)

/** A page that was not there, and plays the byte log. */
async function play(bytes: Buffer) {
  const terminal = new headless.Terminal({ rows: 24, cols: 80, allowProposedApi: true })
  await new Promise<void>((done) => terminal.write(bytes, done))
  return terminal
}

/** Programs that tidy up, each with the keys that end it. */
const tidy: Readonly<Record<string, string>> = {
  'nothing printed': 'true',
  'coloured output': prints('\x1b[1;32mok\x1b[39;22m \x1b]8;;http://x\x1b\\\\link\x1b]8;;\x1b\\\\'),
  'a pager': 'env -u LESS less +q long',
  'an editor': 'vi -u NONE -n +q long',
}

test.each(ShellName.options)(
  '[TERM232] nothing is written and no program started where nothing was left: %s',
  async (shell) => {
    const own = await start(shell, quietStart[shell])
    writeHome(own.home, 'bin/stty', '#!/bin/sh\n: >~/started\n')
    chmodSync(join(own.home, 'bin/stty'), 0o755)
    writeHome(own.home, 'long', 'line\n'.repeat(100))
    const ordinary = await between(own, await own.run('true'))
    for (const [name, command] of Object.entries(tidy)) {
      const found = await between(own, await own.run(`${command}; printf "\\n"`, { by: 'person' }))
      expect({ [name]: found }).toEqual({ [name]: ordinary })
    }
    expect(existsSync(join(own.home, 'started'))).toBe(false)
  },
)

/** Programs of the test's own come first, and no command lasts until the next second. */
const quietStart: Readonly<Record<ShellName, string>> = {
  bash: 'PATH=~/bin:$PATH; unset SECONDS',
  zsh: 'PATH=~/bin:$PATH; unset SECONDS',
  fish: 'set -gx PATH ~/bin $PATH',
}

const prompts: Readonly<Record<ShellName, string>> = {
  bash: String.raw`PS1='\[\e[5 q\e[?1004h\]$ '; printf '\e]2;mine\a\e]12;green\a\e=`,
  zsh: String.raw`PS1=$'%{\e[5 q\e[?1004h%}%# '; printf '\e]2;mine\a\e]12;green\a\e=`,
  fish: String.raw`function fish_prompt; printf '\e[5 q\e[?1004h> '; end; printf '\e]2;mine\a\e]12;green\a\e=`,
}

test.each(ShellName.options)(
  '[TERM232] what prompt and start file set stays: %s',
  async (shell) => {
    const own = await start(shell, `${prompts[shell]}'`)
    await own.run('true')
    const dirty = await own.run(prints('\x1b[?1004h\x1b[?1000h\x1b[5 qx'))
    const { ptyTo } = await own.run('true')
    const bytes = await recorded(own, 0, ptyTo)
    const before = bytes.subarray(0, dirty.ptyFrom ?? 0).toString('latin1')
    expect(before).not.toMatch(/\x1b\[\?1004l|\x1b\]112|\x1b\[0? q/)
    const played = await play(bytes)
    expect(played.modes).toMatchObject({ sendFocusMode: true, mouseTrackingMode: 'none' })
    expect(bytes.subarray(dirty.ptyTo ?? 0).toString('latin1')).not.toMatch(/\x1b\]112|\x1b\[0? q/)
  },
)
