// needs: zsh fish
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { ShellName } from '../../src/protocol/events/shell.ts'
import { drift } from '../../src/session/policy/live/drift.ts'
import { resolve } from '../../src/session/policy/live/resolve.ts'
import type { PulledState } from '../../src/server/terminal/shell/ask-state.ts'
import { startNested } from '../terminal/support/nested-shell.ts'
import { startEditing } from './support/edited-line.ts'
import { type HomeShell, startHomeShell } from './support/shell-home.ts'
import { startFiles } from './support/start-files.ts'

const shells = ['bash', 'zsh'] as const

async function ownShell(shell: ShellName, file = '', env?: Record<string, string>) {
  const own = await startHomeShell(shell, file, env)
  onTestFinished(own.close)
  return own
}

async function pull(own: HomeShell, names: readonly string[] = []): Promise<PulledState> {
  const pulled = await own.terminal.liveState(names)
  if (pulled === null) throw new Error('the shell did not say')
  return pulled
}

const homes = shells.flatMap((shell) =>
  Object.entries(startFiles[shell]).map(([name, file]) => ({ shell, name, file })),
)

test.each(homes)(
  '[APP60] a shell that nobody changed has no drift, whatever its start files do, and the next command is as if nobody had asked: $shell with $name',
  async ({ shell, file }) => {
    const own = await ownShell(shell, file)
    for (let round = 0; round < 3; round += 1) {
      const { baseline, state } = await pull(own, ['cat'])
      expect(drift(baseline, state)).toEqual([])
      expect((await own.run('(exit 3)')).exitCode).toBe(3)
      await pull(own)
      expect(await own.output('echo $?')).toBe('3\n')
    }
  },
)

test.each(shells)(
  '[APP60] asking changes no status, argument, match, option or history: %s',
  async (shell) => {
    const own = await ownShell(shell)
    const isBash = shell === 'bash'
    const options = isBash ? 'set -o; shopt; echo "$-"' : 'setopt; echo "$-"'
    const history = isBash ? 'history' : 'fc -l 1'
    const before = await own.output(options)
    await own.run(
      isBash
        ? '[[ abc =~ b(.) ]]'
        : 'setopt bash_rematch; [[ abc =~ b(.) ]]; unsetopt bash_rematch',
    )
    await pull(own, ['ls'])
    expect(await own.output('echo "${BASH_REMATCH[*]}" "$(jobs)"')).toBe('bc c \n')
    expect(await own.output(options)).toBe(before)
    await pull(own, ['cat'])
    expect(await own.output(history)).not.toMatch(/tandem_pull|pulled/)
    await own.run(isBash ? 'set -e' : 'setopt err_exit')
    await pull(own, ['nothing-of-this-name'])
    expect(await own.output('echo alive')).toBe('alive\n')
  },
)

test.each(shells)(
  '[APP60] asking between two lines that a person types leaves the last argument and all statuses: %s',
  async (shell) => {
    const own = await startEditing(shell)
    onTestFinished(own.close)
    const type = async (line: string) => {
      const told = readFile(join(own.home, 'gate'), 'utf8')
      own.type(line)
      return told
    }
    expect(await type('echo last >~/gate; (exit 3) | true last\r')).toBe('last\n')
    await expect.poll(() => own.terminal.liveState(['ls'])).not.toBeNull()
    const statuses = shell === 'bash' ? '${PIPESTATUS[@]}' : '$pipestatus'
    expect(await type(`echo "$_" ${statuses} >~/gate\r`)).toBe('last 3 0\n')
  },
)

test.each(shells)(
  '[APP60] a half-typed line and its cursor stay, and what is typed while the shell is asked: %s',
  async (shell) => {
    const own = await startEditing(shell)
    onTestFinished(own.close)
    await pull(own)
    for (const half of ['echo half', 'x', 'é漢 "$(']) {
      own.type(half)
      const answer = own.terminal.liveState(['ls'])
      own.type(' more')
      expect((await answer)?.state.found.has('ls')).toBe(true)
      const text = `${half} more`
      expect(await own.line()).toEqual({ text, cursor: Array.from(text).length })
      own.type('\x05\x15')
      // Keys that may have begun anything: it is not asked before the next prompt.
      expect(await own.terminal.liveState(['ls'])).toBeNull()
      await own.run('true')
    }
  },
)

test.each(shells)(
  '[APP60] %s: whoever types while the shell is asked again and again has typed it all',
  async (shell) => {
    const own = await startEditing(shell)
    onTestFinished(own.close)
    await pull(own)
    const piece = fc.string({
      unit: fc.constantFrom(...Array.from('ab 0é漢"$(;#!')),
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 2, maxLength: 8 }), async (pieces) => {
        const asked = pieces.map((each, at) => {
          own.type(each)
          return own.terminal.liveState([`name-${at}`])
        })
        const answers = await Promise.all(asked)
        expect(answers.filter((answer) => answer === null)).toEqual([])
        const text = pieces.join('')
        expect(await own.line()).toEqual({ text, cursor: Array.from(text).length })
        own.type('\x05\x15')
        expect((await own.run('true')).exitCode).toBe(0)
      }),
      { numRuns: 15 },
    )
  },
)

test('[APP60] an adopted shell says nothing, and the one around it does again afterwards', async () => {
  const nested = await startNested()
  onTestFinished(nested.close)
  const { end } = await nested.begin('bash --norc')
  await nested.adopt()
  expect(await nested.terminal().liveState(['ls'])).toBeNull()
  await nested.run('exit')
  await end
  expect(await nested.terminal().liveState(['ls'])).not.toBeNull()
})

test.each(shells)(
  '[APP60] a shell that is busy, silent or not ours says nothing: %s',
  async (shell) => {
    const own = await ownShell(shell)
    await pull(own)
    const stop = new AbortController()
    let onWaits = () => {}
    const waits = new Promise<void>((resolve) => (onWaits = resolve))
    const run = own.run('cat', { signal: stop.signal, onWaits: () => onWaits() })
    await waits
    expect(await own.terminal.liveState()).toBeNull()
    stop.abort()
    await run
    expect(await own.terminal.liveState()).not.toBeNull()
    await own.run(
      shell === 'bash'
        ? String.raw`for m in emacs vi-insert vi-command; do bind -m $m -r '\e\C-^8'; done`
        : String.raw`for m in emacs viins vicmd; do bindkey -M $m -r '\e^^8'; done`,
    )
    expect(await own.terminal.liveState()).toBeNull()
    expect(await own.output('echo one')).toBe('one\n')
  },
)

test('[APP60] fish says nothing', async () => {
  const own = await ownShell('fish')
  expect(await own.terminal.liveState()).toBeNull()
})

const shadowed = {
  bash: [
    'builtin() { command builtin "$@"; }',
    'builtin() { if [[ $1 == compgen ]]; then return; fi; command builtin "$@"; }',
    'unset BASH_ALIASES; declare -A BASH_ALIASES; alias ls=rm',
    'readonly IFS',
    'unset BASH_CMDS; declare -A BASH_CMDS; hash -p /bin/rm ls',
    String.raw`set -T; trap 'printf "end\0001\0x\0"' DEBUG`,
  ],
  zsh: ['builtin() { "$@" }', 'unset aliases; alias ls=rm', 'unset functions; ls() { rm }'],
}

test.each(shells.flatMap((shell) => shadowed[shell].map((command) => ({ shell, command }))))(
  '[APP60] a shell whose own words or tables were replaced says nothing: $shell $command',
  async ({ shell, command }) => {
    const own = await ownShell(shell)
    await own.run(command)
    expect(await own.terminal.liveState(['ls'])).toBeNull()
  },
)

test.each([
  "set -E; trap 'echo oops' ERR",
  "trap 'echo oops' DEBUG RETURN EXIT CHLD",
  'set -o noclobber -o nounset; shopt -s inherit_errexit nullglob failglob; IFS=e; umask 777',
  'set -o posix -o privileged; readonly PATH; set -f',
])('[APP60] a bash under odd settings is still read: %s', async (command) => {
  const own = await ownShell('bash')
  await own.run(`alias spelled='a b'; ${command}`)
  const { state } = await pull(own, ['cat'])
  expect(state.aliases.get('spelled')).toBe('a b')
  expect([state.found.has('cat'), state.builtins.has('echo')]).toEqual([true, true])
})

const words =
  'type command printf hash local unset compgen declare print trap enable pwd mapfile typeset'

test.each(shells)(
  '[APP60] functions and aliases with the names of built-ins are seen, and hide nothing: %s',
  async (shell) => {
    const own = await ownShell(shell)
    const names = words.split(' ')
    for (const name of names) await own.run(`alias ${name}='echo shadow'`)
    for (const name of names) await own.run(`function ${name} { :; }`)
    await own.run(String.raw`\alias ls=rm`)
    const { state } = await pull(own, [...names, 'ls'])
    expect([...state.functions]).toEqual(expect.arrayContaining(names))
    expect([...state.aliases.keys()]).toEqual(expect.arrayContaining([...names, 'ls']))
    expect(state.aliases.get('ls')).toBe('rm')
  },
)

test.each(shells)('[APP60] names mean what the shell would make of them: %s', async (shell) => {
  const own = await ownShell(
    shell,
    `alias ls='ls --color=auto' grep='grep -rf x'; greet() { echo hi; }; mkdir ~/tools; PATH=$HOME/tools:$PATH`,
  )
  const workspace = join(own.home, 'work')
  for (const folder of ['work/bin', 'tools', 'later'])
    mkdirSync(join(own.home, folder), { recursive: true })
  for (const tool of ['work/bin/mine', 'tools/tool', 'later/late', 'tools/hid'])
    writeFileSync(join(own.home, tool), '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync(join(own.home, 'work/bin'), join(own.home, 'link'))
  const now = async (name: string) => resolve({ ...(await pull(own, [name])), workspace }, name)
  expect(await now('tool')).toEqual({ is: 'program', path: join(own.home, 'tools/tool') })
  expect(await now('cd')).toEqual({ is: 'builtin' })
  const ls = await now('ls')
  expect(ls).toMatchObject({ is: 'alias', body: 'ls --color=auto' })
  expect(await now('grep')).toEqual({ is: 'odd', why: '`grep` is an alias for `grep -rf x`' })
  expect(await now('greet')).toMatchObject({
    is: 'odd',
    why: expect.stringMatching(/function.*echo hi/),
  })
  expect(await now('nothing-of-this-name')).toMatchObject({ is: 'odd' })
  await own.run('tool; PATH=$HOME/link:$HOME/later:$PATH')
  expect(await now('mine')).toMatchObject({ is: 'odd', why: expect.stringContaining('workspace') })
  expect(await now('late')).toMatchObject({
    is: 'odd',
    why: expect.stringContaining('at the start'),
  })
  await own.run(shell === 'bash' ? 'hash -p ~/tools/hid tool' : 'hash tool=~/tools/hid')
  expect(await now('tool')).toMatchObject({ is: 'odd', why: expect.stringContaining('tools/hid') })
  await own.run('cd link')
  expect((await pull(own)).state.cwd).toBe(join(own.home, 'work/bin'))
})

test.each(shells)(
  '[APP60] the first state is known to the next server, and secrets are not: %s',
  async (shell) => {
    const own = await ownShell(shell, 'alias early=1', { GIT_CONFIG_VALUE_0: 'a secret' })
    const { baseline } = await pull(own)
    await own.run('alias late=1')
    await own.terminal.detach()
    await own.terminal.attach(1)
    const { baseline: again, state } = await pull(own)
    expect(again).toEqual(baseline)
    expect([again.aliases.has('early'), again.aliases.has('late')]).toEqual([true, false])
    expect(state.variables.get('GIT_CONFIG_VALUE_0')?.isExported).toBe(true)
    expect(JSON.stringify([...state.variables, ...again.variables])).not.toContain('a secret')
    const asked = await pull(own, ['cat'])
    await own.run('ls >/dev/null')
    expect((await pull(own, ['cat'])).fingerprint(['cat'])).toBe(asked.fingerprint(['cat']))
    await own.run('cd /')
    expect((await pull(own, ['cat'])).fingerprint(['cat'])).not.toBe(asked.fingerprint(['cat']))
  },
)

const hostile = [
  'a\nb',
  'it\'s "$(x)" `y` \\ \\0 \\\\0',
  '\x01\x1b[31m\x07\x7f',
  '',
  ' x ',
  'é漢😀',
  'end\n1\n',
]
const quoted = (value: string) =>
  `$'${[...Buffer.from(value)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`

test.each(shells)('[APP60] hostile names and values are read exactly: %s', async (shell) => {
  const own = await ownShell(shell)
  const values = shell === 'zsh' ? [...hostile, 'nul\0in\0it', '\0'] : hostile
  for (const [at, value] of values.entries()) {
    await own.run(`alias a${at}=${quoted(value)}; CDPATH=${quoted(value)}`)
    const { state } = await pull(own)
    expect(state.aliases.get(`a${at}`)).toBe(value)
    expect(state.variables.get('CDPATH')?.value).toBe(value)
  }
  const folder = join(own.home, 'a\nb;\x1b\x07 é\n')
  mkdirSync(folder)
  await own.run(
    `cd ${quoted(folder)}; PATH=$PATH:${quoted(folder)}; export GIT_X=${quoted('\xff\nid\0')}`,
  )
  const { state } = await pull(own)
  expect(state.cwd).toBe(folder)
  expect(state.path.at(-1)).toEqual({ folder, physical: folder })
})
