// needs: zsh fish
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { isAlive, makeTerminal, sessionOf, text } from '../terminal/support/temp-shell.ts'
import { startHomeShell } from './support/shell-home.ts'
import { startFiles } from './support/start-files.ts'

const homes = ShellName.options.flatMap((shell) =>
  Object.entries(startFiles[shell]).map(([name, file]) => ({ shell, name, file })),
)

const exits = [
  { command: 'exit 3', how: { exitCode: 3, signal: null }, reason: 'exited' },
  { command: 'exec sh -c "exit 4"', how: { exitCode: 4, signal: null }, reason: 'exited' },
  { command: 'kill -9 $$', how: { exitCode: null, signal: 'SIGKILL' }, reason: 'killed' },
  // fish has no errexit.
  { command: 'set -e; false', how: { exitCode: 1, signal: null }, reason: 'exited' },
]

function exitsOf(shell: ShellName) {
  if (shell !== 'fish') return exits
  return exits
    .filter(({ command }) => !command.startsWith('set -e'))
    .map((each) => ({ ...each, command: each.command.replace('$$', '$fish_pid') }))
}

describe.each(homes)('$shell with $name', ({ shell, file }) => {
  test.each(exitsOf(shell))(
    '[TERM20] a run that ends its shell says so, keeps its output, and the shell end follows: $command',
    async ({ command, how, reason }) => {
      const own = await startHomeShell(shell, file)
      onTestFinished(own.close)
      const end = await own.run(`echo before\n${command}`)
      expect(end).toMatchObject({ outcome: 'shell_exited', ...how, cwdAfter: null })
      expect(text(end.output)).toMatch(/^before\n/)
      expect(await own.shellEnd).toEqual({ generation: 1, reason, ...how })
    },
  )
})

describe.each(ShellName.options)('%s', (shell) => {
  test.each(exitsOf(shell))(
    '[TERM20] a run of one line that ends its shell says so: $command',
    async ({ command, how }) => {
      const own = await startHomeShell(shell)
      onTestFinished(own.close)
      expect(await own.run(command)).toMatchObject({ outcome: 'shell_exited', ...how })
    },
  )

  test('[TERM23] closing ends the shell and its jobs, and leaves nothing behind', async () => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    const background = shell === 'fish' ? 'sleep 1000 &; sleep 1001 &' : 'sleep 1000 & sleep 1001 &'
    await own.run(background)
    expect(sessionOf(own.pid).length).toBeGreaterThanOrEqual(3)
    const { pid } = JSON.parse(readFileSync(join(own.folder, 'holder.json'), 'utf8')) as {
      pid: number
    }
    await own.terminal.close()
    expect(sessionOf(own.pid)).toEqual([])
    while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
  })

  test('[TERM25] neither environment, argv nor files of the shell show the nonce after start', async () => {
    const own = await startHomeShell(shell)
    onTestFinished(own.close)
    const said = await own.output(
      `echo $__tandem_nonce | sed 's/./&./g'; ls -A $__tandem_folder; env | grep -c __tandem`,
    )
    expect(said).toMatch(/^([0-9a-f]\.){24}\ncommand\n0\n$/)
    const nonce = said.slice(0, 48).replaceAll('.', '')
    for (const name of ['environ', 'cmdline']) {
      expect(readFileSync(`/proc/${own.pid}/${name}`, 'latin1')).not.toContain(nonce)
    }
  })

  test('[TERM27] a shell whose start file ends it is a clear sentence', async () => {
    await expect(startHomeShell(shell, `echo oh no; exec sh -c "exit 4"`)).rejects.toThrow(
      /ended before its first prompt.*oh no/,
    )
  })
})

test.each(['ksh', '/bin/dash', '/usr/bin/python3', '/no/such/zsh', 'nofish/fish'])(
  '[TERM27] a program that is none of the three, or not there, is a clear sentence: %s',
  async (shell) => {
    const made = await makeTerminal({ shell })
    onTestFinished(made.close)
    const started = await made.terminal.start({ generation: 1, cwd: made.home })
    expect(started.ok ? '' : started.error).toMatch(
      /^Cannot (use the shell ".*": only bash, zsh and fish|start the shell ".*": no such program)/,
    )
  },
)
