// needs: zsh fish
import { expect, onTestFinished, test } from 'vitest'
import { ShellName } from '../../src/protocol/events/shell.ts'
import { startTyping } from '../terminal/support/typing-shell.ts'
import { startHomeShell, writeHome } from './support/shell-home.ts'

const each = ShellName.options

async function start(shell: ShellName) {
  const own = await startHomeShell(shell)
  onTestFinished(own.close)
  /** The settings that a command changes for the next ones, in the words of `stty`. */
  async function changed(command: string): Promise<readonly string[]> {
    const before = await settings()
    await own.run(command, { by: 'person' })
    return (await settings()).filter((word) => !before.includes(word))
  }
  const settings = async () => (await own.output('stty -a')).split(/[\s;]+/)
  return { ...own, changed }
}

/** Off after `stty raw`, and nobody's trouble; fish leaves the keys of signals off, too. */
const harmless: Readonly<Record<ShellName, RegExp>> = {
  bash: /^-(brkint|imaxbel|ixon|ixany)$/,
  zsh: /^-(brkint|imaxbel|ixon|ixany)$/,
  fish: /^-(brkint|imaxbel|ixon|ixany|isig)$/,
}
const unusable = ['raw -echo', 'cbreak', '-echo', '-opost', '-onlcr', '-icrnl', 'nl', '-isig']

test.each(each)(
  '[TERM232] no command finds a terminal that an earlier one left unusable: %s',
  async (shell) => {
    const own = await start(shell)
    for (const setting of unusable) {
      const left = await own.changed(`stty ${setting}`)
      expect({ [setting]: left.filter((word) => !harmless[shell].test(word)) }).toEqual({
        [setting]: [],
      })
    }
  },
)

/** Ways to leave it so without a word about it in the command. */
const ways: Readonly<Record<string, string>> = {
  'killed by a signal': 'kill -9 $$',
  'failed inside of another program': 'exit 1',
  'ended well after a while': 'sleep 1.1',
}

test.each(each)('[TERM232] a program in raw mode may end as it likes: %s', async (shell) => {
  const own = await start(shell)
  for (const [name, ends] of Object.entries(ways)) {
    writeHome(own.home, 'program', `stty raw -echo; ${ends}\n`)
    const left = await own.changed('bash ./program')
    expect({ [name]: left.filter((word) => !harmless[shell].test(word)) }).toEqual({ [name]: [] })
  }
})

test.each(each)('[TERM232] a setting that a person may want stays: %s', async (shell) => {
  const own = await start(shell)
  expect(await own.changed('stty erase ^H')).toEqual(['^H'])
  expect(await own.changed('stty intr ^G')).toEqual(['^G'])
  expect(await own.changed('stty tostop')).toEqual(['tostop'])
  // fish sees to flow control itself.
  if (shell !== 'fish') expect(await own.changed('stty -ixon')).toEqual(['-ixon'])
  await own.run('false')
  expect(await own.output('stty -a')).toMatch(/intr = \^G;[^]* erase = \^H;[^]* tostop/)
})

test.each(each)(
  '[TERM15] a run of the model after `stty raw -echo` ends, with whole lines: %s',
  async (shell) => {
    const own = await start(shell)
    await own.run('stty raw -echo', { by: 'person' })
    const end = await own.run('echo one; echo two', { by: 'model' })
    expect(end).toMatchObject({ outcome: 'ended', exitCode: 0 })
    const range = { from: end.ptyFrom ?? 0, to: end.ptyTo ?? 0 }
    const { bytes } = await own.terminal.readOutput(range)
    expect(bytes.toString()).toBe('one\r\ntwo\r\n')
  },
)

test.each(each)(
  '[TERM232] a line that was typed leaves the terminal usable, too: %s',
  async (shell) => {
    const own = await startTyping(shell)
    onTestFinished(own.close)
    await own.typed('stty raw -echo\r')
    await own.typed('stty -a >seen\r')
    expect(await own.output('cat seen')).toMatch(
      /\sicrnl\s[^]*\sopost\s[^]*\sonlcr\s[^]*\sicanon\s[^]*\secho\s/,
    )
  },
)
