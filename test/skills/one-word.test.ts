// needs: zsh fish
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { expandCommandFile } from '../../src/session/decide/command-file.ts'

test.each(['bash', 'zsh', 'fish'])(
  '[CFILE1] in %s an argument in an embedded command is one word, whatever it holds',
  (shell) => {
    const hostile = [
      'a b',
      "it's",
      '"',
      '\\',
      "\\'; echo no; '",
      '$(id)',
      '`id`',
      '; id',
      '*',
      '~',
      '!x',
      '#',
      '\n',
      '$HOME',
      '{a,b}',
      'é',
      '-n',
    ].join(' ')
    const args = `${hostile}\\`
    const file = { name: 'x', description: '', source: 'user' } as const
    const toml = expandCommandFile(
      { ...file, syntax: 'toml', template: "!{printf '%s|' {{args}}}" },
      args,
    )
    const run = (command: string) => execFileSync(shell, ['-c', command], { encoding: 'utf8' })
    expect(run(toml.commands[0]!)).toBe(`${args}|`)
    const md = expandCommandFile(
      { ...file, syntax: 'md', template: "!`printf '%s|' $1 $2 $3`" },
      `"a b" '$(id)' it's\\`,
    )
    expect(run(md.commands[0]!)).toBe("a b|$(id)|it's\\|")
  },
)
